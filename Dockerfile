FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/documents/package.json packages/documents/
COPY packages/energy/package.json packages/energy/
COPY packages/file-formats/package.json packages/file-formats/
COPY packages/money/package.json packages/money/
COPY apps/server/package.json apps/server/
COPY apps/simulator/package.json apps/simulator/
COPY apps/web/package.json apps/web/
RUN npm ci --ignore-scripts
COPY . .
# Le pied des écrans le dit aussi.
ARG VOISOL_COMMIT
RUN npm run build && npm prune --omit=dev --ignore-scripts
# Les liens entre les bibliothèques de PostgreSQL, que npm n’archive pas : le service ne pourrait pas les faire.
RUN node -e "import('./apps/server/src/db/embedded-binaries.ts').then(({ resolvePostgresBinaries }) => resolvePostgresBinaries())"

FROM node:26.10.0-bookworm-slim
ARG VOISOL_COMMIT
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data VOISOL_COMMIT=$VOISOL_COMMIT
WORKDIR /app
# À root : le service ne peut pas changer son programme.
COPY --from=build /app /app
RUN mkdir /data /copies && chown node:node /data /copies
USER node
VOLUME ["/data", "/copies"]
EXPOSE 3000
# Une mise à jour de la base peut durer : jusque-là, ne pas répondre n’est pas être malade.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30m CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "--import", "./apps/server/src/resolve-once.ts", "apps/server/src/main.ts"]
