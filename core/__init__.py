"""What every endpoint shares: the error shape, paging, throttles, the API document."""
