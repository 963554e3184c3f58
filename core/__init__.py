"""Code that all apps share: errors, paging, rate limits, jobs and the OpenAPI document."""
