import { expect } from 'vitest'

const unescapeText = (text: string) =>
  text.replace(/\\([nN\\;,])/g, (_, c: string) => (c.toLowerCase() === 'n' ? '\n' : c))

/** Parses a calendar of one event strictly, as a mail program does; property names to values. */
export function parseCalendarEvent(file: string): Record<string, string> {
  expect(file.endsWith('\r\n')).toBe(true)
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const lines = file.trimEnd().replaceAll('\r\n ', '').split('\r\n')
  expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR'])
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
  const read: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', params = '', value = ''] =
      /^([A-Z-]+)((?:;[A-Z-]+=(?:"[^"]*"|[^";:]*))*):(.*)$/.exec(line) ?? []
    expect(name, `not a line of a calendar: ${line}`).not.toBe('')
    if (name === 'BEGIN' || name === 'END') continue
    expect(read, `${name} twice`).not.toHaveProperty(name)
    read[name] = unescapeText(value)
    if (params) read[`${name} params`] = params.slice(1)
  }
  return read
}

type MailAttachment = { content: unknown; mimeType?: string; method?: string | undefined; filename?: string | null }
/** The event attached to a message. */
export function readAttachedCalendar(mail: { attachments: MailAttachment[] } | undefined) {
  const [attachment] = mail?.attachments ?? []
  expect(attachment?.mimeType).toBe('text/calendar')
  const text = Buffer.from(attachment?.content as ArrayBuffer).toString() // binary unless asked otherwise
  // The mail parser normalises line ends.
  const read = parseCalendarEvent(text.replace(/\r?\n/g, '\r\n'))
  expect(attachment?.method).toBe(read.METHOD)
  return read
}
