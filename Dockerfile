# One image, two roles: `web` (the default) and `worker` are two commands of it.
# Built in two stages, so that what runs has no compiler, no build backend and no package cache.

FROM python:3.12-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /src
RUN python -m venv /opt/build && python -m venv --without-pip /opt/santorini
COPY requirements/local.lock requirements/service.lock requirements/
RUN /opt/build/bin/pip install --quiet --require-hashes -r requirements/local.lock \
    && /opt/build/bin/pip --python /opt/santorini/bin/python install --quiet \
        --require-hashes -r requirements/service.lock
COPY pyproject.toml README.md LICENSE openapi.yaml ./
COPY domain domain
COPY app app
COPY workers workers
RUN /opt/build/bin/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir /tmp/wheel . \
    && /opt/build/bin/pip --python /opt/santorini/bin/python install --quiet --no-deps --no-index \
        /tmp/wheel/*.whl

FROM python:3.12-slim-bookworm
LABEL org.opencontainers.image.title="Santorini, served" \
      org.opencontainers.image.licenses="MIT"
ENV PATH=/opt/santorini/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PORT=8000 \
    SANTORINI_HOST=0.0.0.0
COPY --from=build /opt/santorini /opt/santorini
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin santorini
USER 10001:10001
WORKDIR /tmp
EXPOSE 8000
STOPSIGNAL SIGTERM
ENTRYPOINT ["santorini"]
CMD ["web"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=4)"]
