"""The pages in browsers of other makers: Firefox, and WebKit, which is what Safari is made of."""
