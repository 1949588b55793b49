"""Sign-in on the pit's pages: who may ask for what, cookies, and the pages of people."""
