"""What other rooms may want to know about accounts. All but `welcoming` are sent inside the
transaction of what happens."""

from django.dispatch import Signal

# user: User, invitation: str (the token of the invitation they came with, or empty).
confirmed = Signal()

# user: User, about to read that their account is ready. Whoever has something for them answers with a sentence.
welcoming = Signal()

# user: User, still complete, about to be deleted.
departing = Signal()

# user: User, whose time zone, vacations or times for reminders are now others; zone_before: str, if it is of interest.
calendar_changed = Signal()
