import { addDays, dayStart, localTime, minutesOfDay } from '@voisol/energy/calendar'

const pad2 = (n: number) => String(n).padStart(2, '0')
export const formatParisStamp = (minute: number) => {
  const { day, minuteOfDay } = localTime(minute)
  return `${day} ${pad2(Math.floor(minuteOfDay / 60))}:${pad2(minuteOfDay % 60)}:00`
}

export const R63_HEADER =
  'Identifiant PRM;Date de début;Date de fin;Grandeur physique;Grandeur métier;Etape métier;Unité;Horodate;Valeur;Nature;Pas;Indice de vraisemblance;Etat complémentaire'

/** Rows of a local day, with timestamps at the end of each interval. */
export const buildR63Rows = (
  prm: string,
  day: string,
  value: (n: number) => number | string,
  side = 'CONS',
  step = 30,
) =>
  Array.from({ length: minutesOfDay(day) / step }, (_, n) => {
    const stamp = formatParisStamp(dayStart(day) + (n + 1) * step)
    return `${prm};${day} 00:00:00;${addDays(day, 1)} 00:00:00;PA;${side};BRUT;W;${stamp};${value(n)};B;PT${step}M;0;0`
  })
export const buildR63 = (...rows: string[][]) => [R63_HEADER, ...rows.flat(), ''].join('\n')
