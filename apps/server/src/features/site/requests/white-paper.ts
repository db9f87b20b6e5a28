import { randomUUID } from 'node:crypto'
import type { WhitePaperRequest } from '@voisol/contract/requests'
import { createLinkKey, requireLinkRequestId } from '../../../core/link-key.ts'
import { loadSiteOwnerId } from '../../../core/site-company.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { toStableId } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { buildPublicUrl, formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../people/mail/mail.ts'
import { findPublishedContent } from '../content/content.ts'
import { cleanPerson, type RequestRow, storeRequest } from './keep.ts'
import { subscribeToNewsletter } from './newsletter.ts'
import { isBotSubmission, noteRequest, throttleForm, type VisitorContext } from './visitor.ts'

const getLinkPurpose = (slug: string) => `white-paper ${slug}`

async function loadWhitePaper(db: Deps['db'], slug: string) {
  const found = await findPublishedContent(db, 'white-paper', slug)
  if (!found) throw new AppError('not-found', { message: 'Ce livre blanc n’existe pas, ou n’est plus publié.' })
  return found
}

const buildAnswer = ({ secrets }: VisitorContext, slug: string, id: string) => ({
  success: true as const,
  message: 'Votre livre blanc est prêt. Le lien vous est aussi envoyé par e-mail.',
  url: `/api/white-papers/${encodeURIComponent(slug)}/file?key=${createLinkKey(secrets, getLinkPurpose(slug), id)}`,
})

export async function requestWhitePaper(ctx: VisitorContext, slug: string, input: WhitePaperRequest) {
  await throttleForm(ctx, input.email)
  const { draft } = await loadWhitePaper(ctx.db, slug)
  if (await isBotSubmission(ctx, input.website)) return buildAnswer(ctx, slug, randomUUID())
  const values = { kind: 'white-paper' as const, ...cleanPerson(input), subject: draft.title, about: slug }
  const { row } = await storeRequest(ctx.db, values, [slug])
  noteRequest(ctx, row)
  const reply = buildAnswer(ctx, slug, row.id)
  await sendWhitePaperMail(ctx, row, draft.title, reply.url)
  if (input.newsletter) await subscribeToNewsletter(ctx, input.email)
  return reply
}

/** At most once a day, however often it is asked for. */
async function sendWhitePaperMail(
  { db, secrets, config }: VisitorContext,
  row: RequestRow,
  title: string,
  path: string,
) {
  const content = renderMail({
    title: 'Votre livre blanc',
    paragraphs: [
      formatGreeting(row.firstName),
      `Voici le livre blanc «\u00a0${title}\u00a0», au format PDF.`,
      'Bonne lecture.',
    ],
    action: { label: 'Télécharger le livre blanc', url: buildPublicUrl(config, path) },
    footer: formatVisitorFooter(config),
  })
  const mail = {
    to: row.email,
    replyTo: config.SUPPORT_EMAIL,
    subject: `Votre livre blanc\u00a0: ${title}`,
    ...content,
  }
  await sendMail(db, secrets, mail, { id: toStableId(`white-paper ${row.id} ${getToday()}`) })
}

export async function renderWhitePaperFile(
  { db, secrets, config, compute, signal }: VisitorContext,
  slug: string,
  key: string,
) {
  const { draft, publishedAt } = await loadWhitePaper(db, slug)
  requireLinkRequestId(secrets, getLinkPurpose(slug), key)
  const { title, summary, author, body } = draft
  const home = buildPublicUrl(config, '/').replace(/\/$/, '')
  const paper = { title, summary, author, publishedAt, home, body }
  const content = await compute('requests.paper', paper, { companyId: await loadSiteOwnerId(db), signal })
  return { name: `${slug}.pdf`, content: Buffer.from(content) }
}
