import type { LoadShape } from '@voisol/contract/analytics'
import { formatNumber } from '../../lib/format.ts'
import { KpiTile } from '../../ui/tile.tsx'

const formatKg = (grams: number) => `${formatNumber(grams / 1000, Math.abs(grams) < 10_000 ? 1 : 0)}\u00a0kg`

/** What local energy avoided, by the factor that every screen uses and, where it is known, hour by hour. */
export function CarbonTiles({ co2 }: { co2: LoadShape['co2'] }) {
  const { yearly, hourly, solarGramsPerKwh, source } = co2
  const [low, high] = [Math.min(...(hourly?.gridGramsPerKwh ?? [0])), Math.max(...(hourly?.gridGramsPerKwh ?? [0]))]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <KpiTile
        label="CO₂ évité, facteur de l’année"
        figure={formatKg(yearly.grams)}
        note={`${formatNumber(yearly.gridGramsPerKwh, 1)}\u00a0g/kWh du réseau, ${formatNumber(solarGramsPerKwh, 1)} du solaire. Source\u00a0: ${source}`}
      />
      <KpiTile
        label="CO₂ évité, facteur de chaque heure"
        figure={hourly ? formatKg(hourly.grams) : 'Inconnu'}
        note={
          hourly
            ? `De ${formatNumber(low)} à ${formatNumber(high)}\u00a0g/kWh selon l’heure. Source\u00a0: ${source}`
            : 'Cette installation n’a pas de facteur par heure\u00a0: voir CO2_GRID_HOURLY.'
        }
      />
    </div>
  )
}
