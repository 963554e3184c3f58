from accounts.models.registration import Registration
from accounts.models.token import Token
from accounts.models.user import NoticeDelivery, User

__all__ = ["NoticeDelivery", "Registration", "Token", "User"]
