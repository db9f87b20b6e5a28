import type { FastifyInstance } from 'fastify'

/** JSON alone. An empty body under a JSON content type is no body: browsers send it so with calls that carry nothing. */
export function registerBodies(app: FastifyInstance) {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  // Names such as __proto__ reach the schema, which refuses them like any other unknown field.
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) =>
    body.trim() === '' ? done(null, undefined) : parse(request, body, done),
  )
}
