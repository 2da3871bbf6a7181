# The nightly job as a container: slim, not root, the scheduler as its command. The sources run as they are, so
# there is no build step and no development dependency in the image.
FROM node:24-bookworm-slim
ENV NODE_ENV=production RECON_HOME=/var/lib/recon
WORKDIR /opt/recon
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY migrations migrations
COPY src src
COPY reports reports
COPY jobs jobs
RUN install -d -o node -g node -m 0700 /var/lib/recon
USER node
VOLUME /var/lib/recon
ENV HEALTH_PORT=9090
EXPOSE 9090
HEALTHCHECK --interval=60s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--", "jobs/main.ts"]
CMD ["schedule"]
