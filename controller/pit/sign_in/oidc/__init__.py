"""Sign-in by the house's own OpenID provider: Authorization Code with PKCE, nothing else."""
