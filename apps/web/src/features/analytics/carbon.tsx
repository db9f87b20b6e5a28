import type { Shape } from '@voisol/contract/analytics'
import { number } from '../../lib/format.ts'
import { Tile } from '../../ui/tile.tsx'

const kg = (grams: number) => `${number(grams / 1000, Math.abs(grams) < 10_000 ? 1 : 0)}\u00a0kg`

/** What local energy avoided, by the factor that every screen uses and, where it is known, hour by hour. */
export function Carbon({ co2 }: { co2: Shape['co2'] }) {
  const { yearly, hourly, solarGramsPerKwh, source } = co2
  const [low, high] = [Math.min(...(hourly?.gridGramsPerKwh ?? [0])), Math.max(...(hourly?.gridGramsPerKwh ?? [0]))]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Tile
        label="CO₂ évité, facteur de l’année"
        figure={kg(yearly.grams)}
        note={`${number(yearly.gridGramsPerKwh, 1)}\u00a0g/kWh du réseau, ${number(solarGramsPerKwh, 1)} du solaire. Source\u00a0: ${source}`}
      />
      <Tile
        label="CO₂ évité, facteur de chaque heure"
        figure={hourly ? kg(hourly.grams) : 'Inconnu'}
        note={
          hourly
            ? `De ${number(low)} à ${number(high)}\u00a0g/kWh selon l’heure. Source\u00a0: ${source}`
            : 'Cette installation n’a pas de facteur par heure\u00a0: voir CO2_GRID_HOURLY.'
        }
      />
    </div>
  )
}
