import { NBSP } from '../../../french.ts'
import type { FileDataSink, ParsedContractEvent, ParsedIndex } from './found.ts'
import { parseDials, parseReadingIndexes } from './readings.ts'
import { QuarantineError } from './refusal.ts'
import {
  findChild,
  forEachElement,
  getChildText,
  listChildren,
  parsePrm,
  parseStampDay,
  type XmlElement,
} from './tree.ts'

/** Contract events of points up to 36 kVA, with the index readings before and after the event. */
export async function readC15(text: string, sink: FileDataSink): Promise<void> {
  const events: ParsedContractEvent[] = []
  const indexes: ParsedIndex[] = []
  forEachElement(text, ['PRM'], (point) => {
    const prm = parsePrm(point, 'Id_PRM')
    const event = findChild(point, 'Evenement_Declencheur')
    if (!event)
      throw new QuarantineError('content', `Point ${prm}${NBSP}: ce C15 ne dit pas quel événement l’a déclenché.`)
    events.push(parseContractEvent(point, event, prm))
    const readings = findChild(event, 'Releves')
    for (const reading of readings ? listChildren(readings, 'Donnees_Releve') : [])
      indexes.push(...parseReadingIndexes(reading, parseDials(reading, prm), prm, getReadingSource(reading)))
  })
  await sink.events(events)
  await sink.indexes(indexes)
}

const getReadingSource = (reading: XmlElement) =>
  getChildText(reading, 'Code_Qualification') === '1' ? 'C15-avant' : 'C15'

function parseContractEvent(point: XmlElement, event: XmlElement, prm: string): ParsedContractEvent {
  const collective = getChildText(point, 'Autoconsommation_Collective')
  return {
    prm,
    event: getChildText(event, 'Nature_Evenement') || getChildText(event, 'Type_Evenement'),
    on: parseStampDay(getChildText(event, 'Date_Evenement'), prm),
    collective: /^[012]$/.test(collective) ? Number(collective) : null,
  }
}
