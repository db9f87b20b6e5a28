import type { EnedisFault } from '@voisol/contract/enedis'

const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word searched for is somewhere in the code, its meaning or its remedy; accents and capitals do not matter. */
export function findFaults(faults: EnedisFault[], search: string, nature?: string): EnedisFault[] {
  const searchWords = foldText(search).split(/\s+/).filter(Boolean)
  return faults.filter((fault) => {
    const text = foldText(`${fault.code} ${fault.status ?? ''} ${fault.message} ${fault.explanation} ${fault.remedy}`)
    return (!nature || fault.nature === nature) && searchWords.every((word) => text.includes(word))
  })
}
