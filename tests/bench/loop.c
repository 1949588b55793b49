/* 21-24-27 as a loop in C, written by hand for one seat: what the kernel of `controller/odds` is held
 * against. Published strategy, six decks with two Jokers each, a cut after 243 of 324 cards.
 * Prints rounds a second and the house's edge in per cent. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 324, CUT = 243, TOP = 27 };

static uint64_t s[4] = {1, 2, 3, 4};
static uint8_t shoe[CARDS];
static int gone;

static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint32_t below(uint32_t size) {
    uint64_t word = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return (uint32_t)(((word >> 32) * size) >> 32);
}

static int draw(void) {
    int at = gone + below(CARDS - gone), card = shoe[at];
    shoe[at] = shoe[gone];
    shoe[gone++] = card;
    return card;
}

/* soft * 32 + points */
static int total(int low, int ace) { return ace && low + 13 <= TOP ? 32 + low + 13 : low; }

/* Dealer's total (soft?, from, to) -> hit hard hands below, soft hands below. */
static const int RULES[][5] = {
    {0, 0, 6, 22, 24}, {0, 7, 7, 22, 23}, {0, 8, 8, 21, 23}, {0, 9, 10, 22, 23}, {0, 11, 15, 22, 24},
    {0, 16, 16, 21, 24}, {0, 17, 17, 21, 23}, {0, 18, 18, 20, 23}, {0, 19, 20, 19, 23},
    {0, 21, 21, 21, 22}, {0, 22, 22, 22, 23}, {0, 23, 23, 23, 24}, {0, 24, 24, 24, 25},
    {0, 25, 25, 25, 25}, {0, 26, 26, 26, 26}, {1, 25, 25, 25, 25}, {1, 26, 26, 26, 26},
    {1, 24, 24, 24, 25}, {1, 17, 23, 22, 24}, {1, 16, 16, 22, 25}, {1, 14, 15, 23, 25}};

static uint8_t hits[64][64]; /* by dealer's and player's total */
static uint8_t dealer_hits[64];

static void prepare(void) {
    for (int dealer = 0; dealer < 64; dealer++) {
        int soft = dealer >= 32, points = dealer % 32;
        dealer_hits[dealer] = soft ? points < 24 : points < 21;
        int target[2] = {0, 0};
        for (unsigned rule = 0; rule < sizeof RULES / sizeof *RULES; rule++)
            if (RULES[rule][0] == soft && RULES[rule][1] <= points && points <= RULES[rule][2])
                for (int kind = 0; kind < 2; kind++) target[kind] = RULES[rule][3 + kind];
        for (int player = 0; player < 64; player++) {
            int own = player % 32, hit = own < target[player >= 32];
            if (dealer_hits[dealer]) {
                if (player < 32 ? own < 15 : own < 23) hit = 1;
                if (player < 32 ? own >= 25 : own >= 27) hit = 0;
            } else if (own != points || player < 32)
                hit = own < points;
            hits[dealer][player] = hit;
        }
    }
}

static int play(void) {
    int mine[2], theirs[2];
    mine[0] = draw(); theirs[0] = draw(); mine[1] = draw(); theirs[1] = draw();
    int low = mine[0] + mine[1], ace = mine[0] == 1 || mine[1] == 1;
    int dealer_low = theirs[0] + theirs[1], dealer_ace = theirs[0] == 1 || theirs[1] == 1;
    int own = total(low, ace), shown = total(dealer_low, dealer_ace);
    int first = own == 32 + TOP, dealer_first = shown == 32 + TOP;
    if (first || dealer_first) return first - dealer_first;
    while (hits[shown][own]) {
        int card = draw();
        low += card;
        ace |= card == 1;
        own = total(low, ace);
        if (own < 32 && own > TOP) return -1;
        if (low > TOP) return -1;
    }
    while (dealer_hits[shown]) {
        int card = draw();
        dealer_low += card;
        dealer_ace |= card == 1;
        if (dealer_low > TOP) return 1;
        shown = total(dealer_low, dealer_ace);
    }
    int left = own % 32, right = shown % 32;
    return (left > right) - (left < right);
}

int main(int count, char **arguments) {
    long rounds = count > 1 ? atol(arguments[1]) : 20000000, won = 0, played = 0;
    for (int at = 0; at < CARDS; at++) shoe[at] = at < 12 ? 0 : 1 + (at - 12) / 24;
    prepare();
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    while (played < rounds)
        for (gone = 0; gone < CUT; played++) won += play();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double took = (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("%.0f %.4f\n", played / took, -100.0 * won / played);
    return 0;
}
