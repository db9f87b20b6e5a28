import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { extractPageText, type PageText } from './page-text.ts'
import { findKnownPage } from './pages.ts'
import { buildProposals } from './proposals.ts'

async function loadRenderedText(app: FastifyInstance, path: string): Promise<PageText> {
  const answer = await app.inject({ method: 'GET', url: path })
  if (answer.statusCode >= 500) throw new AppError('unavailable')
  if (answer.statusCode !== 200) throw fieldError('path', `Il n’y a pas de page à l’adresse ${path}.`)
  return extractPageText(answer.body)
}

/** From the page as visitors read it; without the built pages, from what was published under this address. */
export async function generateProposals(app: FastifyInstance, db: Db, path: string) {
  const page = await findKnownPage(db, app.web, path)
  if (!page) throw fieldError('path', `Il n’y a pas de page à l’adresse ${path}.`)
  const { title, description } = page.own
  const text = app.web
    ? await loadRenderedText(app, path)
    : { title, heading: title, headings: [], paragraphs: [description] }
  return { proposals: buildProposals(text) }
}
