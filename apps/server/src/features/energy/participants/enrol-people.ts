import { randomUUID } from 'node:crypto'
import type { ParticipantLine } from '@voisol/contract/participants'
import { fold, namesOf, type ParticipantRow } from './identity.ts'

/** Somebody as they will be kept; `stored` while nothing of them has to be written. */
export type Person = { row: ParticipantRow; state: 'new' | 'changed' | 'stored' }
export type People = Map<string, Person>

/** What a line may say of somebody already known: never their name, and nothing by an empty cell. */
const CONTACT = ['siren', 'email', 'phone', 'address', 'postalCode', 'city', 'notes'] as const

type Facts = Pick<ParticipantRow, 'name' | 'siren' | 'email' | 'address' | 'postalCode'>
const bySiren = ({ siren }: Facts) => siren && `siren ${siren}`
const byEmail = ({ email }: Facts) => email && `email ${email}`
const byAddress = ({ name, address, postalCode }: Facts) =>
  address && `address ${fold(name)} | ${fold(address)} | ${postalCode}`
export const byPoint = (name: string, prm: string) => `point ${fold(name)} | ${prm}`

/** The first to bear a mark keeps it. */
function mark(people: People, person: Person, ...keys: string[]) {
  for (const key of keys) if (key && !people.has(key)) people.set(key, person)
}
export const remember = (people: People, person: Person, ...more: string[]) =>
  mark(people, person, bySiren(person.row), byEmail(person.row), byAddress(person.row), ...more)

function find(people: People, facts: Facts, prm: string): Person | undefined {
  const same = people.get(bySiren(facts))
  if (same) return same
  const mate = people.get(byEmail(facts))
  // One manager's address may stand for several companies.
  if (mate && !(mate.row.siren && facts.siren)) return mate
  return people.get(byAddress(facts)) ?? people.get(byPoint(facts.name, prm))
}

const EMPTY = {
  email: '',
  phone: '',
  address: '',
  postalCode: '',
  city: '',
  notes: '',
  tags: [],
  userId: null,
  iban: null,
  ibanEnd: '',
  mandateReference: '',
  mandateSignedOn: null,
  erasureAskedOn: null,
  erasedOn: null,
  version: 1,
}

/** The person a line is about, with what it adds; nobody else sees the change until it is remembered. */
export function personOf(people: People, companyId: number, line: ParticipantLine): { person: Person; was?: Person } {
  const names = namesOf(line)
  const contact = Object.fromEntries(CONTACT.flatMap((key) => (line[key] ? [[key, line[key]]] : [])))
  const drawn: ParticipantRow = { ...EMPTY, ...names, ...contact, companyId, id: randomUUID(), createdAt: new Date() }
  const was = find(people, drawn, line.prm)
  if (!was) return { person: { row: drawn, state: 'new' } }
  const differs = CONTACT.some((key) => line[key] && line[key] !== was.row[key])
  if (!differs) return { person: was, was }
  const state = was.state === 'new' ? 'new' : 'changed'
  return { person: { row: { ...was.row, ...contact }, state }, was }
}
