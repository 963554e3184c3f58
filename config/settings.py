"""Django settings. Environment variables, all optional, are documented in docs/settings.md."""

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from config.environment import Environment

ROOT = Path(__file__).resolve().parent.parent
environment = Environment(os.environ)

DATA = environment.folder("TURNPOST_DATA", ROOT / "var")
SECRET_KEY = environment.secret_key("TURNPOST_SECRET_KEY", file=DATA / "secret_key")
VAULT_KEYS = environment.vault_keys("TURNPOST_VAULT_KEYS", file=DATA / "vault_key")
SIGNING_KEYS = environment.signing_keys("TURNPOST_SIGNING_KEYS", file=DATA / "signing_key")
KEYS = ("TURNPOST_SECRET_KEY", "TURNPOST_VAULT_KEYS", "TURNPOST_SIGNING_KEYS")
KEYS_IN_FILES = not all(environment.text(name) for name in KEYS)
DEBUG = environment.flag("TURNPOST_DEBUG")

PUBLIC_URL = environment.web_address("TURNPOST_URL", "http://localhost:8000")
URL_IS_GIVEN = bool(environment.text("TURNPOST_URL"))
PUBLIC_HOST = urlsplit(PUBLIC_URL).hostname
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
ALLOWED_HOSTS = [PUBLIC_HOST, *environment.words("TURNPOST_HOSTS", "localhost, 127.0.0.1, [::1]")]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
TRUSTED_PROXIES = environment.number("TURNPOST_PROXIES", 0)
HSTS = environment.choice("TURNPOST_HSTS", ["host", "subdomains", "preload", "no"])
if PUBLIC_URL.startswith("https://"):
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 0 if HSTS == "no" else 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = HSTS in ("subdomains", "preload")
    SECURE_HSTS_PRELOAD = HSTS == "preload"
    if TRUSTED_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        SECURE_SSL_REDIRECT = True
        # Monitoring tools call the service directly instead of through the proxy.
        SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
# TURNPOST_HSTS decides whether HSTS includes subdomains.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# These checks name Django settings that we derive from ours; core.checks names the variables to set.
SILENCED_SYSTEM_CHECKS += ["security.W004", "security.W008", "security.W010", "security.W016"]
CSRF_FAILURE_VIEW = "core.error_pages.csrf_failure"
SESSION_COOKIE_AGE = 12 * 3600
LOGIN_REDIRECT_URL = "/admin/"
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

DATABASES = {"default": environment.database("DATABASE_URL", default=DATA / "turnpost.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = environment.broker("BROKER_URL")
CACHES = {"default": environment.cache("BROKER_URL")}
CELERY_BROKER_TRANSPORT_OPTIONS = environment.broker_options("BROKER_URL")
if CELERY_BROKER_URL.startswith("redis"):
    CELERY_BROKER_TRANSPORT = "core.jobs.redis_transport:Transport"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Keep reconnecting; a worker that gave up would have to be restarted.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_DEFAULT_QUEUE = environment.text("TURNPOST_QUEUE", "turnpost")
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Tasks mostly wait for mail servers and databases, so threads are enough. Unlike processes, they notice a shutdown.
CELERY_WORKER_POOL = "threads"
# Two workers with the same name share a control queue; if it were exclusive, RabbitMQ would reject the second.
CELERY_CONTROL_QUEUE_EXCLUSIVE = False
CELERY_CONTROL_QUEUE_DURABLE = True
# After losing RabbitMQ, Celery would use the connection from two threads, which could then wait forever.
CELERY_WORKER_ENABLE_PREFETCH_COUNT_REDUCTION = False
# This setting affects only late acknowledgments, which we do not use. Enabling it avoids a long warning in the log.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
# Every entry is harmless to repeat or skip, so beat needs no storage and can run on several machines.
CELERY_BEAT_SCHEDULER = "core.jobs.celery_runtime:Scheduler"
# Tasks expire after five minutes so that they do not pile up while no worker is running. This time must exceed any
# difference between clocks: a worker whose clock is ahead drops expired tasks.
SOON = {"expires": 300}
CELERY_BEAT_SCHEDULE = {
    "clock": {"task": "clock.sweep", "schedule": 15, "options": SOON},
    "mail": {"task": "jobs.mail", "schedule": 15, "options": SOON},
    "webhooks": {"task": "jobs.webhooks", "schedule": 15, "options": SOON},
    "inbound": {"task": "jobs.inbound", "schedule": 15, "options": SOON},
    "reviews": {"task": "jobs.reviews", "schedule": 15, "options": SOON},
    "bots": {"task": "jobs.bots", "schedule": 15, "options": SOON},
    "tidy_up": {"task": "core.tidy_up", "schedule": 3600, "options": {"expires": 3600}},
}

mail = environment.email("EMAIL_URL", default=DATA / "mail")
globals().update(mail)
MAIL_FOLDER = mail.get("EMAIL_FILE_PATH")
# By default, emails go to a folder, and anyone using this machine can read them in the browser.
MAIL_PAGE = PUBLIC_HOST in LOOPBACK and not TRUSTED_PROXIES and not environment.text("EMAIL_URL")
OPERATOR_EMAIL = environment.text("TURNPOST_OPERATOR_EMAIL", "")
DEFAULT_FROM_EMAIL = environment.text("TURNPOST_MAIL_FROM", f"Turnpost <turnpost@{PUBLIC_HOST}>")

# The domain that receives replies to our emails. Without it, emails do not invite replies.
REPLY_DOMAIN = environment.mail_domain("TURNPOST_REPLY_DOMAIN")
INBOUND_PROVIDERS = environment.providers("INBOUND_PROVIDERS")
ANYMAIL = {
    "WEBHOOK_SECRET": environment.text("INBOUND_WEBHOOK_SECRET"),
    "MAILGUN_WEBHOOK_SIGNING_KEY": environment.text("INBOUND_MAILGUN_KEY"),
    "SENDGRID_TRACKING_WEBHOOK_VERIFICATION_KEY": environment.public_key("INBOUND_SENDGRID_KEY"),
}
INBOUND_IMAP = environment.mailbox("INBOUND_IMAP_URL", needs="TURNPOST_REPLY_DOMAIN")
if INBOUND_IMAP:
    CELERY_BEAT_SCHEDULE["fetch"] = {"task": "inbound.fetch", "schedule": 30, "options": SOON}

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "core",
    "accounts",
    "games",
    "clock",
    "notifications",
    "stream",
    "inbound",
    "web",
    "config",
]
MIDDLEWARE = [
    "core.middleware.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "core.middleware.Guard",
    "core.middleware.CompressPages",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "core.middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "core.middleware.Authentication",
    "core.middleware.Messages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "web.visitors.in_templates",
            ]
        },
    }
]

AUTH_USER_MODEL = "accounts.User"
KNOX_TOKEN_MODEL = "accounts.Token"  # noqa: S105
MIGRATION_MODULES = {"knox": None}  # Our own model replaces knox's only table.
REST_KNOX = {
    "TOKEN_PREFIX": "turnpost_",
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=180),
}
PASSWORD_RESET_TIMEOUT = 3600
PASSWORD_HASHERS = [
    "accounts.hashers.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "email", "display_name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.json_parser.SafeJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_PAGINATION_CLASS": "core.paging.CursorPages",
    "DEFAULT_SCHEMA_CLASS": "core.openapi.Schema",
    "DEFAULT_THROTTLE_CLASSES": ["core.rate_limits.UserThrottle"],
    "EXCEPTION_HANDLER": "core.problems.handle",
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
BODY_LIMIT = 64 * 1024
PAGE_LIMIT = 2**20
# The webhook call for a 2 MiB email can be three times as large as the email. Larger calls are also read if possible,
# because the provider would retry them if they were refused.
PROVIDERS_PATH = "/mail/providers/"
DATA_UPLOAD_MAX_MEMORY_SIZE = 7 * 2**20
CALL_LIMIT = 32 * 2**20
READ_SECONDS = environment.number("TURNPOST_READ_SECONDS", 20)
RATES = environment.rates(
    "TURNPOST_RATES",
    {
        "user": "600/minute",
        "address": "1200/minute",
        "login": "120/hour",
        "login_pair": "10/hour",
        "login_account": "60/hour",
        "password": "10/hour",
        "sign_up": "40/hour",
        "trial": "20/hour",
        "code": "60/hour",
        "mailbox": "6/hour",
        "new_match": "60/hour",
        "invitation": "60/hour",
        "invited": "20/hour",
        "message": "30/minute",
        "report": "20/hour",
        "proposal": "60/hour",
        "dry_run": "60/minute",
        "boards": "60/minute",
        "webhook": "30/hour",
        "mail_server": "60000/hour",
        "reply": "30/hour",
        "replier": "120/hour",
        "mistake": "20/day",
        "question": "60/day",
    },
)
SPECTACULAR_SETTINGS = {
    "TITLE": "Turnpost",
    "DESCRIPTION": "Play-by-mail board games: matches, sealed moves, and notifications when it is your turn.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "persistAuthorization": False, "validatorUrl": None},
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.openapi.add_shapes_and_refusals",
    ],
}

STATIC_URL = "static/"
STATIC_ROOT = environment.path("TURNPOST_STATIC")
if STATIC_ROOT:
    collected = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    STORAGES = {"default": {"BACKEND": "django.core.files.storage.InMemoryStorage"}, "staticfiles": collected}
else:
    WHITENOISE_USE_FINDERS = True

METRICS_TOKEN = environment.text("TURNPOST_METRICS_TOKEN")
METRICS_FOLDER = environment.metrics_folder("TURNPOST_METRICS_FOLDER")
WORKER_METRICS = environment.listening("TURNPOST_WORKER_METRICS")

MOST_STREAMS = environment.number("TURNPOST_STREAMS", 2000)
WEBHOOKS_PRIVATE = environment.flag("TURNPOST_WEBHOOKS_PRIVATE")
BOT_PROCESSES = environment.number("TURNPOST_BOT_PROCESSES", 1)
BOT_SECONDS = environment.seconds("TURNPOST_BOT_SECONDS", 1.5, most=10)
REVEAL_TIME = timedelta(hours=environment.number("TURNPOST_REVEAL_HOURS", 24))
ARCHIVE_AFTER = timedelta(days=min(environment.number("TURNPOST_ARCHIVE_DAYS", 7), 36_500))
VACATION_DAYS = environment.number("TURNPOST_VACATION_DAYS", 30)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_TZ = True
TIME_ZONE = "UTC"

LOG_FORMAT = environment.choice("TURNPOST_LOG", ["text", "json"])
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "ids": {"()": "core.logs.IdsInLogs"},
    },
    "formatters": {"text": {"()": "core.logs.TextFormatter"}, "json": {"()": "core.logs.JsonFormatter"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "filters": ["ids"], "formatter": LOG_FORMAT},
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        # Responses are logged by core.middleware; only unexpected errors need another line.
        "django.request": {"level": "ERROR"},
        # Anyone can send invalid Host headers as often as they like.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "waitress.queue": {"level": "ERROR"},
        # The rules are parsed once per process, and nobody needs the details.
        "markdown_it": {"level": "WARNING"},
        # Tasks run every few seconds; only failures matter.
        "celery": {"level": "WARNING"},
        # Only failures matter, not each start and stop.
        "uvicorn": {"level": "WARNING"},
        # aiosmtpd logs every command, including reply addresses that are as good as keys.
        "mail.log": {"level": "WARNING"},
    },
}
