"""The designer's report: what people who design such games ask about one variant, with 95 % intervals."""
