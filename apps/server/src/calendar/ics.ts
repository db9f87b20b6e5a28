/** RFC 5545, as mail programs read an invitation (RFC 5546). Times are UTC instants: no table of time zones is needed. */
export type CalendarEvent = {
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  uid: string
  /** A calendar replaces an event by one of the same uid and a higher sequence. */
  sequence: number
  stamp: Date
  startsAt: Date
  minutes: number
  title: string
  description: string
  location: string
  url?: string | undefined
  status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
  organizer: { name: string; email: string }
  attendee?: { name: string; email: string } | undefined
}

const MAX_LINE_OCTETS = 75
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

const escapeText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n')
/** Quoted parameters have no escape sequence, so a quote is replaced. */
const quote = (text: string) => `"${text.replace(/\s+/g, ' ').replace(CONTROLS, '').replaceAll('"', '’')}"`

/** At most 75 octets a line, never inside a character. */
export function foldIcsLine(line: string): string {
  const lines: string[] = []
  let current = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_LINE_OCTETS) {
      lines.push(current)
      current = ' '
      octets = 1
    }
    current += character
    octets += size
  }
  return [...lines, current].join('\r\n')
}

const formatUtc = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, '')

function formatAttendee({ attendee, method }: CalendarEvent): string[] {
  if (!attendee) return []
  const answer = method === 'REQUEST' ? ';PARTSTAT=NEEDS-ACTION;RSVP=TRUE' : ''
  return [`ATTENDEE;CN=${quote(attendee.name)};ROLE=REQ-PARTICIPANT${answer}:mailto:${attendee.email}`]
}

export function formatCalendar(event: CalendarEvent): string {
  const { organizer, startsAt, minutes } = event
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Voisol//Voisol//FR',
    'CALSCALE:GREGORIAN',
    `METHOD:${event.method}`,
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${formatUtc(event.stamp)}`,
    `DTSTART:${formatUtc(startsAt)}`,
    `DTEND:${formatUtc(new Date(startsAt.getTime() + minutes * 60_000))}`,
    `SUMMARY:${escapeText(event.title)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `LOCATION:${escapeText(event.location)}`,
    ...(event.url ? [`URL:${event.url.replace(/\s/g, '')}`] : []),
    `STATUS:${event.status}`,
    `ORGANIZER;CN=${quote(organizer.name)}:mailto:${organizer.email}`,
    ...formatAttendee(event),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldIcsLine(line)}\r\n`).join('')
}

/** As a mail part: mail programs offer to accept an event that carries its method. */
export const buildCalendarAttachment = (event: CalendarEvent, filename: string) => ({
  filename,
  content: formatCalendar(event),
  contentType: `text/calendar; charset=utf-8; method=${event.method}`,
})
