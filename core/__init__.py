"""Code shared by all apps: errors, paging, rate limits, jobs, the OpenAPI document."""
