from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm

from accounts.models import User


class NewUser(AdminUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email")


@admin.register(User)
class Users(UserAdmin):  # type: ignore[type-arg]
    add_form = NewUser
    add_fieldsets = ((None, {"fields": ("username", "email", "usable_password", "password1", "password2")}),)
    fieldsets: ClassVar = (
        (None, {"fields": ("username", "email", "email_confirmed_at", "password")}),
        ("Profile", {"fields": ("display_name", "time_zone", "language")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    readonly_fields = ("date_joined", "last_login")
    list_display = ("username", "email", "display_name", "email_confirmed_at", "is_active", "is_staff")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "email", "display_name")
