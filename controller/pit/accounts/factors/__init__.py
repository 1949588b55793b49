"""Second factors: codes of an app, recovery codes and passkeys, and the step that asks for one."""
