import type { Why } from '@voisol/contract/why'
import { addDays } from '@voisol/energy/calendar'
import { METHODS } from '../../lib/energy-labels.ts'
import { energy, kwh, number, percent, plural } from '../../lib/format.ts'
import { gapWords } from '../../ui/gap-words.ts'
import { daysLabel } from '../../ui/period/label.ts'

/** To the member themselves, or to who runs the operation. */
export type Voice = 'mine' | 'theirs'
type Words = Record<Voice, string>
const say = (voice: Voice, words: Words) => words[voice]

const days = ({ from, to }: { from: string; to: string }) => daysLabel(from, addDays(to, -1))
const hours = (value: number) => plural(Math.round(value), 'heure')

export function presenceWords({ presence }: Why, voice: Voice): string {
  const who = say(voice, {
    mine: 'Vous avez fait partie de l’opération',
    theirs: 'Ce membre a fait partie de l’opération',
  })
  if (presence.days === 0) return `${who} aucun jour de ce mois.`
  if (presence.days === presence.of) return `${who} chaque jour (${plural(presence.of, 'jour')}).`
  return `${who} ${number(presence.days)} jours sur ${number(presence.of)}\u00a0: ${presence.spans.map(days).join(', ')}.`
}

export function sunWords({ share }: Why, voice: Voice): string {
  if (!share || share.sunlitShare === null) return ''
  const whose = say(voice, { mine: 'votre consommation', theirs: 'sa consommation' })
  return `${percent(share.sunlitShare, 0)} de ${whose} a eu lieu pendant que l’opération produisait (${hours(share.hours.producing)}). Le reste vient toujours du réseau\u00a0: sans production, il n’y a rien à partager.`
}

export function offerWords({ share }: Why, voice: Voice): string[] {
  if (!share) return []
  const { offered, used, unused, hours: spent } = share
  const kept = say(voice, { mine: 'vous a réservé', theirs: 'a réservé à ce membre' })
  const took = say(voice, { mine: 'vous avez utilisé', theirs: 'ce membre a utilisé' })
  const drew = say(voice, { mine: 'vous avez aussi pris', theirs: 'ce membre a aussi pris' })
  return [
    offered === null
      ? `La clé sert les membres par rang\u00a0: elle ne met rien de côté. Une fois ceux d’avant servis, ${took} ${energy(used)}.`
      : `La clé ${kept} ${energy(offered)}, dont ${energy(used)} ont été utilisés.${unused ? ` ${energy(unused)} étaient réservés à des moments où la consommation était plus faible.` : ''}`,
    spent.surplus > 0
      ? `Pendant ${hours(spent.surplus)}, l’opération produisait plus que ses membres ne consommaient\u00a0: c’est le moment où consommer davantage aurait compté.`
      : 'À aucun moment l’opération n’a produit plus que ses membres n’ont consommé.',
    spent.short > 0
      ? `Pendant ${hours(spent.short)} de production, ${drew} de l’électricité au réseau\u00a0: la part locale ne suffisait pas.`
      : '',
  ].filter(Boolean)
}

export function readingWords({ readings }: Why): string[] {
  if (!readings) return []
  const { steps, missing, estimated, corrected, gaps } = readings
  const part = (count: number) => percent(count / steps)
  const said = [
    missing > 0 &&
      `${part(missing)} des relevés manquent (${gapWords(gaps)})\u00a0: à ces instants, le compteur n’a pas pris part au partage.`,
    estimated > 0 && `${part(estimated)} des relevés sont des estimations.`,
    corrected > 0 && `${part(corrected)} ont été corrigés après coup.`,
  ].filter((text) => typeof text === 'string')
  return said.length ? said : ['Tous les relevés de ces jours sont mesurés.']
}

export function neighbourWords({ neighbours, totals }: Why, voice: Voice): string {
  if (!neighbours)
    return 'Moins de cinq consommateurs comparables ont des chiffres ce mois-ci et ont accepté d’être comparés\u00a0: le milieu n’est pas donné, pour que personne ne soit reconnu.'
  const { members, selfProduction, local } = neighbours
  const whose = say(voice, { mine: 'la vôtre', theirs: 'celle de ce membre' })
  const own =
    totals.selfProduction === null ? '' : ` Pour comparer, ${whose} est de ${percent(totals.selfProduction, 0)}.`
  return `La moitié des ${number(members)} consommateurs comparables a une part locale de plus de ${percent(selfProduction, 0)}, l’autre moitié moins\u00a0; l’énergie locale reçue au milieu du groupe est d’environ ${kwh(local / 1000, 0)}.${own}`
}

export function keyWords(key: Why['keys'][number]): string {
  const label = METHODS[key.method].label
  const share = key.share === null ? '' : `, part de ${percent(key.share / 1_000_000)}`
  const rank = key.rank === null ? '' : `, rang ${key.rank}`
  return `Version ${key.number}, «\u00a0${label}\u00a0»${share}${rank}\u00a0: ${days(key)}`
}

export function runWords({ runs }: Why): string {
  if (!runs.length) return 'Aucun calcul ne couvre encore ce mois\u00a0: la part locale n’est pas connue.'
  const kind = runs.every(({ definitive }) => definitive)
    ? 'Ce chiffre est définitif'
    : 'Ce chiffre est provisoire\u00a0: il peut encore changer avec les relevés'
  const stale = runs.some((run) => run.stale) ? ' Des données ont changé depuis\u00a0: il sera recalculé.' : ''
  return `${kind}.${stale}`
}
