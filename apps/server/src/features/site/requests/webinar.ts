import type { WebinarRequest } from '@voisol/contract/requests'
import type { z } from 'zod'
import { calendarAttachment } from '../../../calendar/ics.ts'
import { AppError } from '../../../http/errors.ts'
import { jobId } from '../../../jobs/job.ts'
import { greeting, mailLayout, sendMail, visitorFooter } from '../../people/mail/mail.ts'
import { findPublished } from '../content/content.ts'
import { keepRequest, personOf, type RequestRow } from './keep.ts'
import { countVisit, isScript, noteRequest, type Visit } from './visitor.ts'

const ANSWER = {
  success: true as const,
  message: 'Votre inscription est enregistrée. Le lien de connexion vous est envoyé par e-mail.',
}
const MINUTES = 60
const LONG = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeStyle: 'short', timeZone: 'Europe/Paris' })

async function findWebinar({ db }: Visit, slug: string) {
  const found = await findPublished(db, 'webinar', slug)
  if (!found) throw new AppError('not-found', { message: 'Ce webinaire n’existe pas, ou n’est plus annoncé.' })
  const { title, startsAt, minutes, joinUrl } = found.draft
  const starts = startsAt ? new Date(startsAt) : undefined
  if (!starts || starts.getTime() <= Date.now())
    throw new AppError('conflict', { message: 'Ce webinaire a déjà commencé\u00a0: les inscriptions sont closes.' })
  return { id: found.id, title, starts, minutes: minutes ?? MINUTES, joinUrl }
}
type Webinar = Awaited<ReturnType<typeof findWebinar>>

export async function register(ctx: Visit, slug: string, input: z.output<typeof WebinarRequest>) {
  await countVisit(ctx, input.email)
  const webinar = await findWebinar(ctx, slug)
  if (await isScript(ctx, input.website)) return ANSWER
  const values = { kind: 'webinar' as const, ...personOf(input), subject: webinar.title, about: slug }
  const { row } = await keepRequest(ctx.db, values, [slug])
  noteRequest(ctx, row)
  await mailWebinar(ctx, row, webinar)
  return ANSWER
}

const eventOf = ({ config }: Visit, { id, title, starts, minutes, joinUrl }: Webinar) => ({
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
async function mailWebinar(ctx: Visit, row: RequestRow, webinar: Webinar) {
  const { db, secrets, config } = ctx
  const { title, starts, minutes, joinUrl } = webinar
  const link = joinUrl
    ? 'Le lien ci-dessous ouvre le webinaire à l’heure dite.'
    : 'Le lien de connexion n’est pas encore fixé\u00a0: l’équipe vous l’enverra par e-mail.'
  const content = mailLayout({
    title: 'Votre inscription au webinaire',
    paragraphs: [
      greeting(row.firstName),
      `Votre inscription au webinaire «\u00a0${title}\u00a0» est enregistrée\u00a0: ${LONG.format(starts)} (heure de Paris), durée ${minutes} minutes.`,
      link,
    ],
    ...(joinUrl && { action: { label: 'Ouvrir le webinaire', url: joinUrl } }),
    footer: visitorFooter(config),
  })
  const attachments = [calendarAttachment(eventOf(ctx, webinar), 'webinaire.ics')]
  const mail = {
    to: row.email,
    replyTo: config.SUPPORT_EMAIL,
    subject: `Webinaire\u00a0: ${title}`,
    attachments,
    ...content,
  }
  await sendMail(db, secrets, mail, { id: jobId(`webinar ${row.id} ${starts.toISOString()} ${joinUrl}`) })
}
