import type { FastifyInstance } from 'fastify'
import { AppError, sendProblem } from './errors.ts'

export function registerNotFound(app: FastifyInstance) {
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, new AppError('not-found', { message: 'Cette adresse n’existe pas.' })),
  )
}
