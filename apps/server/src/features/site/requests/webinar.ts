import type { WebinarRequest } from '@voisol/contract/requests'
import type { z } from 'zod'
import { buildCalendarAttachment } from '../../../calendar/ics.ts'
import { AppError } from '../../../http/errors.ts'
import { toStableId } from '../../../jobs/job.ts'
import { formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../people/mail/mail.ts'
import { findPublishedContent } from '../content/content.ts'
import { cleanPerson, type RequestRow, storeRequest } from './keep.ts'
import { isBotSubmission, noteRequest, throttleForm, type VisitorContext } from './visitor.ts'

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
