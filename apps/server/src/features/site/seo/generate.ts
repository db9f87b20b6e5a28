import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { type PageText, textOfPage } from './page-text.ts'
import { knownPage } from './pages.ts'
import { proposalsFrom } from './proposals.ts'

async function rendered(app: FastifyInstance, path: string): Promise<PageText> {
  const answer = await app.inject({ method: 'GET', url: path })
  if (answer.statusCode >= 500) throw new AppError('unavailable')
  if (answer.statusCode !== 200) throw fieldError('path', `Il n’y a pas de page à l’adresse ${path}.`)
  return textOfPage(answer.body)
}

/** From the page as visitors read it; without the built pages, from what was published under this address. */
export async function generate(app: FastifyInstance, db: Db, path: string) {
  const page = await knownPage(db, app.web, path)
  if (!page) throw fieldError('path', `Il n’y a pas de page à l’adresse ${path}.`)
  const { title, description } = page.own
  const text = app.web ? await rendered(app, path) : { title, heading: title, headings: [], paragraphs: [description] }
  return { proposals: proposalsFrom(text) }
}
