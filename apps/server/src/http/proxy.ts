import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a proxy forwards calls without being listed in TRUST_PROXY. */
    proxy: { unnamed: boolean }
  }
}

export const NO_TRUSTED_PROXY =
  'TRUST_PROXY est vide\u00a0: si un relais (proxy, équilibreur) reçoit les visiteurs, nommez son adresse. ' +
  'Sans elle tous semblent venir du relais, et les tentatives de connexion des uns comptent pour les autres.'
const UNTRUSTED_PROXY_SEEN =
  'Un relais transmet des visiteurs sans être nommé dans TRUST_PROXY\u00a0: tous semblent venir de la même adresse, ' +
  'et les tentatives de connexion des uns comptent pour les autres. Nommez son adresse dans TRUST_PROXY.'

const isForwarded = ({ headers }: FastifyRequest) => Boolean(headers['x-forwarded-for'] ?? headers.forwarded)

/** Detects forwarded calls from an unknown proxy, and reports it once. */
export function registerProxyDetection(app: FastifyInstance) {
  const { config, log } = app.deps
  app.decorate('proxy', { unnamed: false })
  if (!config.production || config.TRUST_PROXY !== '') return
  app.addHook('onRequest', async (request) => {
    if (app.proxy.unnamed || !isForwarded(request)) return
    app.proxy.unnamed = true
    log.warn({ variable: 'TRUST_PROXY', seen: request.ip }, UNTRUSTED_PROXY_SEEN)
  })
}
