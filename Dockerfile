# The nightly job as a container: slim, not root, the scheduler as its command. The sources run as they are, so
# there is no build step and no development dependency in the image.
FROM node:24-bookworm-slim AS program
ENV NODE_ENV=production
WORKDIR /opt/recon
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY migrations migrations
COPY src src
COPY reports reports
COPY jobs jobs
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=200", "--", "jobs/recon.js"]

# The emulator of the platform, for test suites. It keeps nothing. It listens on loopback alone, so that whoever uses it
# shares its network:
#   docker build --target sandbox -t recon-sandbox . && docker run --rm --network host recon-sandbox
FROM program AS sandbox
USER node
HEALTHCHECK --interval=5s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/openapi.json').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["sandbox", "--json", "--port", "8080", "--scenario", "empty", "--controls"]

# The job, which is built where no target is named.
FROM program AS job
ENV RECON_HOME=/var/lib/recon SETTLE_MARK_FILE=/var/lib/recon-state/settle-mark
RUN install -d -o node -g node -m 0700 /var/lib/recon /var/lib/recon-state
USER node
VOLUME /var/lib/recon /var/lib/recon-state
# A container's ports are reached from outside of it; compose.yaml publishes them to the host's own address only.
ENV HEALTH_PORT=9090 HEALTH_HOST=0.0.0.0 PUSH_PORT=9091 PUSH_HOST=0.0.0.0
EXPOSE 9090 9091
# Whoever restarts what is unhealthy mends no database by it: asked is whether the process lives.
HEALTHCHECK --interval=60s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["schedule"]
