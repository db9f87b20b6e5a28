import type { Forecast } from '@voisol/contract/forecasts'
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Link } from '../../ui/link.tsx'
import { describeRecipe, describeWeather } from './words.ts'

/** The licence asks for it wherever the data are shown. */
const Attribution = () => (
  <a className="text-link" href="https://open-meteo.com/" target="_blank" rel="noreferrer" lang="en">
    Weather data by Open-Meteo.com (CC BY 4.0)
  </a>
)

/** When it was issued, from what, and how. */
export function ForecastOrigin({ said }: { said: Forecast }) {
  const facts = [
    {
      label: 'Émise',
      value: said.rebuilt
        ? `${formatDateTime(said.issuedAt)}, reconstituée pour la démonstration avec ce qui était connu ce jour-là`
        : formatDateTime(said.issuedAt),
    },
    { label: 'Relevés connus jusqu’au', value: said.knownUntil ? formatDateTime(said.knownUntil) : 'aucun' },
    { label: 'Météo', value: describeWeather(said) },
    { label: 'Recette', value: describeRecipe(said) },
    ...(said.silent > 0
      ? [{ label: 'Non comptés', value: `${formatCount(said.silent, 'compteur')} sans aucun relevé` }]
      : []),
  ]
  return (
    <Card title="D’où vient cette prévision">
      <div className="grid gap-3">
        <FactList facts={facts} />
        {said.weatherIssuedAt && (
          <p className="text-[0.8125rem] text-ink-soft">
            <Attribution />
          </p>
        )}
        {!said.weatherConnected && said.kind !== 'consumption' && (
          <p>
            <Link className="text-link" to="/admin/enterprise-connections">
              Connecter un fournisseur météo
            </Link>
          </p>
        )}
      </div>
    </Card>
  )
}
