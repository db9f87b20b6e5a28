import CarFront from 'lucide-react/icons/car-front'
import TrainFront from 'lucide-react/icons/train-front'
import type { ComponentType } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'

/** Grams of CO₂ equivalent per kilometre and passenger, making of the vehicle included. */
const GRAMS_PER_KM = { car: 217.6, train: 2.93 }
const SOURCE = 'https://impactco2.fr/outils/transport'

type EquivalentProps = { icon: ComponentType<{ className?: string }>; kilometres: number; label: string; grams: number }

const formatDistance = (kilometres: number) => formatNumber(kilometres, kilometres < 10 ? 1 : 0)

const Equivalent = ({ icon: Icon, kilometres, label, grams }: EquivalentProps) => (
  <li className="flex items-center gap-4">
    <span aria-hidden="true" className="grid size-12 shrink-0 place-items-center rounded-full bg-amber-100">
      <Icon className="size-6 text-amber-800" />
    </span>
    <span className="min-w-0">
      <span className="block text-xl font-semibold tracking-tight">{formatDistance(kilometres)}&nbsp;km</span>
      <span className="block text-ink-soft">
        {label} ({formatNumber(grams)}&nbsp;g par&nbsp;km)
      </span>
    </span>
  </li>
)

/** What so much carbon is like; only what has a source. */
export const Equivalents = ({ grams }: { grams: number }) => (
  <Card title="C’est autant que…">
    <ul className="grid gap-5">
      <Equivalent
        icon={CarFront}
        kilometres={grams / GRAMS_PER_KM.car}
        label="seul dans une voiture thermique"
        grams={GRAMS_PER_KM.car}
      />
      <Equivalent icon={TrainFront} kilometres={grams / GRAMS_PER_KM.train} label="en TGV" grams={GRAMS_PER_KM.train} />
    </ul>
    <p className="mt-5 text-[0.8125rem] text-ink-soft">
      Source :{' '}
      <a href={SOURCE} className="text-link" rel="noreferrer" target="_blank">
        ADEME, Impact CO₂<span className="sr-only"> (nouvel onglet)</span>
      </a>
      , Base Empreinte, fabrication du véhicule comprise.
    </p>
  </Card>
)
