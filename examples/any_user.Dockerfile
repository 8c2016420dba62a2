# Stardeck for any user: what the games need is compiled while the image is built, and whoever runs it loads that.
#   docker build --file examples/any_user.Dockerfile --tag stardeck-any-user .
#   docker run --user 12345 stardeck-any-user watch star_realms --seed 3
# All four games take some minutes; fewer are fewer: --build-arg GAMES="star_realms interstellar_empire"
FROM python:3.12-slim

WORKDIR /opt/stardeck
COPY . .
ARG EXTRAS=measure
RUN pip install --no-cache-dir ".[${EXTRAS}]"

# Machine code is for the processor that compiles it. On another kind of processor games compile again, into the first
# folder that can be written to; with NUMBA_CPU_NAME=generic, set here, the code is for all processors of one architecture.
ARG GAMES=""
RUN stardeck warmup --to /opt/stardeck-cache ${GAMES}
ENV NUMBA_CACHE_DIR=/opt/stardeck-cache
ENV MPLCONFIGDIR=/tmp/matplotlib

# Any number will do; it needs no name and no home.
USER 2000
WORKDIR /tmp
ENTRYPOINT ["stardeck"]
CMD ["list"]
