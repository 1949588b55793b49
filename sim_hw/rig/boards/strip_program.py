"""The PIO program that hears a strip: bits by how long the line is high, frames by the gaps.

One turn is 16 ns. The line is looked at 30 to 32 turns after it rose, so a pulse of up to 470 ns is
a 0 and one from 520 ns a 1. Sources: WorldSemi, WS2812B-V5 (0: 220 to 380 ns, 1: 580 to 1000 ns,
low after it for at least 220 ns, reset over 280 µs); Opsco, SK6812RGBW (0: 150 to 450 ns, 1: 450 to
750 ns: a 1 that is shorter than 520 ns is taken for a 0 here); RP2040 data sheet, 3.4 and 3.5.

What it puts into its FIFO: a byte, high bit first, and at each gap the number of bits that came
after the last whole byte, with all higher bits set. It starts by looking for a gap.
"""
# The names of instructions are put there by asm_pio, and `set` is one of them.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined, call-overload"

import rp2

#: The state machine's clock.
HERTZ = 62_500_000
#: Two turns each: so many make 280 µs.
GAP_LOOKS = 280 * HERTZ // 1_000_000 // 2


def _hear() -> None:
    pull()  # how many looks at a low line are a gap
    set(y, 7)
    jmp("low")
    wrap_target()
    set(y, 7)
    wait(1, pin, 0)
    label("high")
    nop()[28]
    in_(pins, 1)
    wait(0, pin, 0)
    jmp(y_dec, "low")
    push(noblock)
    set(y, 7)
    label("low")
    mov(x, osr)
    label("look")
    jmp(pin, "high")
    jmp(x_dec, "look")
    mov(isr, invert(y))
    push(noblock)
    wrap()


#: What a state machine is given.
PROGRAM = rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT)(_hear)
