"""The languages of the displays beside English: their catalogues, and how they write values."""
