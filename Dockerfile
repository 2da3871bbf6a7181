# The nightly job as a container: slim, not root, the scheduler as its command. The sources run as they are, so
# there is no build step and no development dependency in the image.
FROM node:24-bookworm-slim
ENV NODE_ENV=production RECON_HOME=/var/lib/recon SETTLE_MARK_FILE=/var/lib/recon-state/settle-mark
WORKDIR /opt/recon
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY migrations migrations
COPY src src
COPY reports reports
COPY jobs jobs
RUN install -d -o node -g node -m 0700 /var/lib/recon /var/lib/recon-state
USER node
VOLUME /var/lib/recon /var/lib/recon-state
# A container's ports are reached from outside of it; compose.yaml publishes them to the host's own address only.
ENV HEALTH_PORT=9090 HEALTH_HOST=0.0.0.0 PUSH_PORT=9091 PUSH_HOST=0.0.0.0
EXPOSE 9090 9091
HEALTHCHECK --interval=60s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--", "jobs/recon.js"]
CMD ["schedule"]
