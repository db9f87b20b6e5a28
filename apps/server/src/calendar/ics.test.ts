import { expect, test } from 'vitest'
import { parseCalendarEvent } from '../../test/calendar.ts'
import { type CalendarEvent, foldIcsLine, formatCalendar } from './ics.ts'

const EVENT: CalendarEvent = {
  method: 'REQUEST',
  uid: 'a@voisol',
  sequence: 2,
  stamp: new Date('2026-01-05T08:00:00.123Z'),
  startsAt: new Date('2026-03-30T07:30:00Z'),
  minutes: 30,
  title: 'Démonstration; de Voisol, l’après-midi \\ « été »',
  description: `Une\nDeux; trois, ${'énergie partagée '.repeat(20)}\r\nBEGIN:VALARM`,
  location: 'Visioconférence - Lien envoyé par email',
  status: 'CONFIRMED',
  organizer: { name: 'Voisol', email: 'support@voisol.fr' },
  attendee: { name: 'Zoé "Zo";\r\nX:1', email: 'zoe@exemple.fr' },
}

test('an event is parsed back as written, with any characters', () => {
  const read = parseCalendarEvent(formatCalendar(EVENT))
  expect(read).toMatchObject({
    METHOD: 'REQUEST',
    UID: 'a@voisol',
    SEQUENCE: '2',
    DTSTAMP: '20260105T080000Z',
    DTSTART: '20260330T073000Z',
    DTEND: '20260330T080000Z',
    SUMMARY: EVENT.title,
    STATUS: 'CONFIRMED',
    LOCATION: EVENT.location,
    ORGANIZER: 'mailto:support@voisol.fr',
    ATTENDEE: 'mailto:zoe@exemple.fr',
    DESCRIPTION: EVENT.description.replace('\r\n', '\n'),
  })
  expect(read['ATTENDEE params']).toBe('CN="Zoé ’Zo’; X:1";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE')
  expect(read).not.toHaveProperty('X')
})

test('control characters are removed', () => {
  const read = parseCalendarEvent(formatCalendar({ ...EVENT, title: 'A\u0000\u0007B\u001bC\rD' }))
  expect(read.SUMMARY).toBe('ABC\nD')
})

test.each([74, 75, 76, 150, 223, 224, 225])('a line of %i octets is folded between characters', (size) => {
  for (const letter of ['a', 'é', '€', '🌞']) {
    const line = letter.repeat(Math.ceil(size / Buffer.byteLength(letter)))
    const folded = foldIcsLine(line)
    for (const part of folded.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75)
    expect(folded.replaceAll('\r\n ', '')).toBe(line)
  }
})
