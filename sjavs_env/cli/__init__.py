"""What all commands share: parsing, errors in one line, files, missing extras, pages."""
