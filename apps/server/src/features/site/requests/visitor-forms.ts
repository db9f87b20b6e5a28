import { randomUUID } from 'node:crypto'
import type { ContactRequest, WebinarRequest, WhitePaperRequest } from '@voisol/contract/requests'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { buildCalendarAttachment } from '../../../calendar/ics.ts'
import { createLinkKey, requireLinkRequestId } from '../../../core/public-links.ts'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import { requests } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { toStableId } from '../../../jobs/job.ts'
import { normalizePlainText, requireSingleLine, toSingleLine } from '../../../plain-text.ts'
import { getToday } from '../../../today.ts'
import { buildPublicUrl, formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../identity/mail/index.ts'
import { findPublishedContent } from '../content/index.ts'
import {
  isBotSubmission,
  noteRequest,
  type RequestRow,
  storeRequest,
  throttleForm,
  throttleLinkUse,
  type VisitorContext,
} from './store-request.ts'

const CONTACT_RECEIVED = {
  success: true as const,
  message: 'Votre message est bien arrivé. L’équipe vous répondra par e-mail.',
}

export async function submitContactForm(ctx: VisitorContext, input: ContactRequest) {
  await throttleForm(ctx, input.email)
  if (await isBotSubmission(ctx, input.website)) return CONTACT_RECEIVED
  const { row, isNew } = await storeContactRequest(ctx, input)
  noteRequest(ctx, row)
  if (isNew) {
    await sendThanksMail(ctx, row)
    await recordEvent(ctx.db, {
      companyId: row.companyId,
      name: 'request.received',
      object: row.id,
      data: { id: row.id },
    })
  }
  return CONTACT_RECEIVED
}

type PersonInput = { firstName: string; lastName: string; email: string; company: string }

const cleanPerson = ({ firstName, lastName, email, company }: PersonInput) => ({
  firstName: requireSingleLine('firstName', firstName),
  lastName: requireSingleLine('lastName', lastName),
  company: toSingleLine(company),
  email,
})

function storeContactRequest({ db }: VisitorContext, input: ContactRequest) {
  const message = normalizePlainText(input.message)
  if (message.length < 10) throw fieldError('message', 'Quelques mots de plus\u00a0: dix caractères au moins.')
  const { subject } = input
  const values = { kind: 'contact' as const, ...cleanPerson(input), phone: toSingleLine(input.phone), subject, message }
  // The same words on another day are a reminder, not a form sent twice.
  return storeRequest(db, values, [getToday(), subject, message])
}

/** Nothing of what was typed goes out again: the address may be anybody's. */
const sendThanksMail = ({ db, secrets, config }: VisitorContext, row: RequestRow) =>
  sendMail(db, secrets, {
    to: row.email,
    replyTo: config.SUPPORT_EMAIL,
    subject: 'Votre message est bien arrivé',
    ...renderMail({
      title: 'Votre message est bien arrivé',
      paragraphs: [
        formatGreeting(row.firstName),
        'Merci de nous avoir écrit. Une personne de l’équipe lira votre message et vous répondra par e-mail.',
        'Si vous n’avez rien envoyé, quelqu’un a saisi votre adresse par erreur\u00a0: ignorez ce message.',
      ],
      footer: formatVisitorFooter(config),
    }),
  })

const LINK_PURPOSE = 'newsletter'
/** The same whoever asks: the form does not tell who is subscribed. */
const CONFIRMATION_SENT = {
  success: true as const,
  message: 'Un e-mail vient de vous être envoyé\u00a0: ouvrez son lien pour confirmer votre abonnement.',
}
const CHOICES = {
  confirm: { subscription: 'confirmed', message: 'Votre abonnement est confirmé. À bientôt\u00a0!' },
  leave: {
    subscription: 'left',
    message: 'Votre désabonnement est enregistré\u00a0: vous ne recevrez plus la lettre.',
  },
} as const

export async function submitNewsletterForm(ctx: VisitorContext, input: { email: string; website: string }) {
  await throttleForm(ctx, input.email)
  if (await isBotSubmission(ctx, input.website)) return CONFIRMATION_SENT
  noteRequest(ctx, await subscribeToNewsletter(ctx, input.email))
  return CONFIRMATION_SENT
}

/** One subscription per address; it begins when the link sent to that address is opened. */
async function subscribeToNewsletter(ctx: VisitorContext, email: string): Promise<RequestRow> {
  const { row, isNew } = await storeRequest(ctx.db, { kind: 'newsletter', email, subscription: 'waiting' }, [])
  const current = !isNew && row.subscription === 'left' ? await updateSubscription(ctx, row, 'waiting') : row
  if (current.subscription === 'waiting') await sendConfirmationMail(ctx, current)
  return current
}

async function sendConfirmationMail({ db, secrets, config }: VisitorContext, { id, email, version }: RequestRow) {
  const link = buildPublicUrl(config, `/newsletter?cle=${createLinkKey(secrets, LINK_PURPOSE, id)}`)
  const content = renderMail({
    title: 'Confirmez votre abonnement',
    paragraphs: [
      'Votre adresse a été inscrite à la lettre de Voisol. Elle ne vous sera envoyée qu’une fois cette inscription confirmée.',
      'Si vous n’avez rien demandé, ignorez ce message\u00a0: rien d’autre ne vous sera envoyé. Le même lien permet de vous désabonner à tout moment.',
    ],
    action: { label: 'Confirmer mon abonnement', url: link },
    footer: formatVisitorFooter(config),
  })
  const mail = { to: email, replyTo: config.SUPPORT_EMAIL, subject: 'Confirmez votre abonnement', ...content }
  // Sent at most once a day for one inscription, however often the form is.
  await sendMail(db, secrets, mail, { id: toStableId(`newsletter ${id} ${version} ${getToday()}`) })
}

async function updateSubscription({ db }: VisitorContext, row: RequestRow, subscription: string): Promise<RequestRow> {
  const [saved] = await db
    .update(requests)
    .set({ subscription, version: row.version + 1 })
    .where(and(eq(requests.companyId, SITE_OWNER_ID), eq(requests.id, row.id)))
    .returning()
  return saved ?? row
}

export async function applyNewsletterChoice(
  ctx: VisitorContext,
  { key, choice }: { key: string; choice: keyof typeof CHOICES },
) {
  await throttleLinkUse(ctx)
  const id = requireLinkRequestId(ctx.secrets, LINK_PURPOSE, key)
  const [row] = await ctx.db
    .select()
    .from(requests)
    .where(and(eq(requests.companyId, SITE_OWNER_ID), eq(requests.id, id), eq(requests.kind, 'newsletter')))
    .for('update')
  if (!row) throw new AppError('link-expired')
  const { subscription, message } = CHOICES[choice]
  if (row.subscription !== subscription) await updateSubscription(ctx, row, subscription)
  ctx.note({ companyId: row.companyId, target: id, detail: { before: row.subscription, after: subscription } })
  return { success: true as const, message }
}

const REGISTRATION_RECEIVED = {
  success: true as const,
  message: 'Votre inscription est enregistrée. Le lien de connexion vous est envoyé par e-mail.',
}
const DEFAULT_MINUTES = 60
const FULL_DATE_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})

async function loadOpenWebinar({ db }: VisitorContext, slug: string) {
  const found = await findPublishedContent(db, 'webinar', slug)
  if (!found) throw new AppError('not-found', { message: 'Ce webinaire n’existe pas, ou n’est plus annoncé.' })
  const { title, startsAt, minutes, joinUrl } = found.draft
  const starts = startsAt ? new Date(startsAt) : undefined
  if (!starts || starts.getTime() <= Date.now())
    throw new AppError('conflict', { message: 'Ce webinaire a déjà commencé\u00a0: les inscriptions sont closes.' })
  return { id: found.id, title, starts, minutes: minutes ?? DEFAULT_MINUTES, joinUrl }
}
type Webinar = Awaited<ReturnType<typeof loadOpenWebinar>>

export async function registerForWebinar(ctx: VisitorContext, slug: string, input: z.output<typeof WebinarRequest>) {
  await throttleForm(ctx, input.email)
  const webinar = await loadOpenWebinar(ctx, slug)
  if (await isBotSubmission(ctx, input.website)) return REGISTRATION_RECEIVED
  const values = { kind: 'webinar' as const, ...cleanPerson(input), subject: webinar.title, about: slug }
  const { row } = await storeRequest(ctx.db, values, [slug])
  noteRequest(ctx, row)
  await sendWebinarMail(ctx, row, webinar)
  return REGISTRATION_RECEIVED
}

const buildWebinarEvent = ({ config }: VisitorContext, { id, title, starts, minutes, joinUrl }: Webinar) => ({
  method: 'PUBLISH' as const,
  uid: `${id}@voisol`,
  sequence: 0,
  stamp: new Date(),
  startsAt: starts,
  minutes,
  title,
  description: joinUrl ? `Lien de connexion\u00a0: ${joinUrl}` : 'Webinaire de Voisol',
  location: joinUrl || 'En ligne',
  url: joinUrl || undefined,
  status: 'CONFIRMED' as const,
  organizer: { name: 'Voisol', email: config.SUPPORT_EMAIL },
})

/** Once for each hour and link it has had: registering again after a change sends the new ones. */
async function sendWebinarMail(ctx: VisitorContext, row: RequestRow, webinar: Webinar) {
  const { db, secrets, config } = ctx
  const { title, starts, minutes, joinUrl } = webinar
  const link = joinUrl
    ? 'Le lien ci-dessous ouvre le webinaire à l’heure dite.'
    : 'Le lien de connexion n’est pas encore fixé\u00a0: l’équipe vous l’enverra par e-mail.'
  const content = renderMail({
    title: 'Votre inscription au webinaire',
    paragraphs: [
      formatGreeting(row.firstName),
      `Votre inscription au webinaire «\u00a0${title}\u00a0» est enregistrée\u00a0: ${FULL_DATE_FORMAT.format(starts)} (heure de Paris), durée ${minutes} minutes.`,
      link,
    ],
    ...(joinUrl && { action: { label: 'Ouvrir le webinaire', url: joinUrl } }),
    footer: formatVisitorFooter(config),
  })
  const attachments = [buildCalendarAttachment(buildWebinarEvent(ctx, webinar), 'webinaire.ics')]
  const mail = {
    to: row.email,
    replyTo: config.SUPPORT_EMAIL,
    subject: `Webinaire\u00a0: ${title}`,
    attachments,
    ...content,
  }
  await sendMail(db, secrets, mail, { id: toStableId(`webinar ${row.id} ${starts.toISOString()} ${joinUrl}`) })
}

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
