import { NBSP } from '../../../french.ts'
import type { FoundEvent, FoundIndex, Sink } from './found.ts'
import { dialsOf, indexesOf } from './readings.ts'
import { Quarantined } from './refusal.ts'
import { allOf, childOf, dayOfStamp, type Element, eachElement, prmOf, textOf } from './tree.ts'

/** Events of contracts of points up to 36 kVA, with the readings taken on that day: before the event, and after it. */
export async function readC15(text: string, sink: Sink): Promise<void> {
  const events: FoundEvent[] = []
  const indexes: FoundIndex[] = []
  eachElement(text, ['PRM'], (point) => {
    const prm = prmOf(point, 'Id_PRM')
    const event = childOf(point, 'Evenement_Declencheur')
    if (!event) throw new Quarantined('content', `Point ${prm}${NBSP}: ce C15 ne dit pas quel événement l’a déclenché.`)
    events.push(eventOf(point, event, prm))
    const readings = childOf(event, 'Releves')
    for (const reading of readings ? allOf(readings, 'Donnees_Releve') : [])
      indexes.push(...indexesOf(reading, dialsOf(reading, prm), prm, sourceOf(reading)))
  })
  await sink.events(events)
  await sink.indexes(indexes)
}

const sourceOf = (reading: Element) => (textOf(reading, 'Code_Qualification') === '1' ? 'C15-avant' : 'C15')

function eventOf(point: Element, event: Element, prm: string): FoundEvent {
  const collective = textOf(point, 'Autoconsommation_Collective')
  return {
    prm,
    event: textOf(event, 'Nature_Evenement') || textOf(event, 'Type_Evenement'),
    on: dayOfStamp(textOf(event, 'Date_Evenement'), prm),
    collective: /^[012]$/.test(collective) ? Number(collective) : null,
  }
}
