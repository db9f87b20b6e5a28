import { randomUUID } from 'node:crypto'
import type { WhitePaperRequest } from '@voisol/contract/requests'
import { keyOf, requestOf } from '../../../core/link-key.ts'
import { siteCompany } from '../../../core/site-company.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { jobId } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { greeting, mailLayout, publicUrl, sendMail, visitorFooter } from '../../people/mail/mail.ts'
import { findPublished } from '../content/content.ts'
import { keepRequest, personOf, type RequestRow } from './keep.ts'
import { subscribe } from './newsletter.ts'
import { countVisit, isScript, noteRequest, type Visit } from './visitor.ts'

const useOf = (slug: string) => `white-paper ${slug}`

async function findPaper(db: Deps['db'], slug: string) {
  const found = await findPublished(db, 'white-paper', slug)
  if (!found) throw new AppError('not-found', { message: 'Ce livre blanc n’existe pas, ou n’est plus publié.' })
  return found
}

const answer = ({ secrets }: Visit, slug: string, id: string) => ({
  success: true as const,
  message: 'Votre livre blanc est prêt. Le lien vous est aussi envoyé par e-mail.',
  url: `/api/white-papers/${encodeURIComponent(slug)}/file?key=${keyOf(secrets, useOf(slug), id)}`,
})

export async function requestPaper(ctx: Visit, slug: string, input: WhitePaperRequest) {
  await countVisit(ctx, input.email)
  const { draft } = await findPaper(ctx.db, slug)
  if (await isScript(ctx, input.website)) return answer(ctx, slug, randomUUID())
  const values = { kind: 'white-paper' as const, ...personOf(input), subject: draft.title, about: slug }
  const { row } = await keepRequest(ctx.db, values, [slug])
  noteRequest(ctx, row)
  const reply = answer(ctx, slug, row.id)
  await mailPaper(ctx, row, draft.title, reply.url)
  if (input.newsletter) await subscribe(ctx, input.email)
  return reply
}

/** At most once a day, however often it is asked for. */
async function mailPaper({ db, secrets, config }: Visit, row: RequestRow, title: string, path: string) {
  const content = mailLayout({
    title: 'Votre livre blanc',
    paragraphs: [
      greeting(row.firstName),
      `Voici le livre blanc «\u00a0${title}\u00a0», au format PDF.`,
      'Bonne lecture.',
    ],
    action: { label: 'Télécharger le livre blanc', url: publicUrl(config, path) },
    footer: visitorFooter(config),
  })
  const mail = {
    to: row.email,
    replyTo: config.SUPPORT_EMAIL,
    subject: `Votre livre blanc\u00a0: ${title}`,
    ...content,
  }
  await sendMail(db, secrets, mail, { id: jobId(`white-paper ${row.id} ${today()}`) })
}

export async function paperFile({ db, secrets, config, compute, signal }: Visit, slug: string, key: string) {
  const { draft, publishedAt } = await findPaper(db, slug)
  requestOf(secrets, useOf(slug), key)
  const { title, summary, author, body } = draft
  const home = publicUrl(config, '/').replace(/\/$/, '')
  const paper = { title, summary, author, publishedAt, home, body }
  const content = await compute('requests.paper', paper, { companyId: await siteCompany(db), signal })
  return { name: `${slug}.pdf`, content: Buffer.from(content) }
}
