import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { type ColourName, type ContrastVerdict, checkContrasts } from './contrast.ts'

type Props = { look: Parameters<typeof checkContrasts>[0]; onTake?: (name: ColourName, shade: string) => void }

const ContrastRow = ({ verdict, onTake }: { verdict: ContrastVerdict; onTake: Props['onTake'] }) => {
  const { fits, label, ratio, needed, name, shade } = verdict
  const Icon = fits ? CircleCheck : TriangleAlert
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Icon aria-hidden="true" className={fits ? 'size-4 text-success' : 'size-4 text-warning'} />
      <span className="min-w-0 flex-1 basis-56">
        {label}
        <span className="block text-[0.8125rem] text-ink-soft">
          {formatNumber(Math.floor(ratio * 10) / 10)} pour 1, {fits ? 'lisible' : `il en faut ${formatNumber(needed)}`}
        </span>
      </span>
      {!fits && onTake && (
        <Button size="small" variant="secondary" onClick={() => onTake(name, shade)}>
          <span
            aria-hidden="true"
            className="size-4 rounded-sm border border-line-strong"
            style={{ background: shade }}
          />
          Prendre {shade}
        </Button>
      )}
    </li>
  )
}

/** How well each colour reads where it is used; where it does not, a shade of it that does, in one click. */
export function ContrastList({ look, onTake }: Props) {
  const verdicts = checkContrasts(look)
  const failingCount = verdicts.filter(({ fits }) => !fits).length
  return (
    <div className="grid gap-1 rounded-card bg-page px-4 py-3 text-body">
      <h3 className="font-medium">Lisibilité</h3>
      <p className="text-[0.8125rem] text-ink-soft" aria-live="polite">
        {failingCount === 0
          ? 'Toutes les couleurs se lisent bien là où elles servent.'
          : 'Une couleur trop proche du fond est assombrie d’elle-même sur les textes et les boutons\u00a0: prenez la nuance proposée pour que tout s’accorde.'}
      </p>
      <ul className="divide-y divide-line">
        {verdicts.map((verdict) => (
          <ContrastRow key={verdict.label} verdict={verdict} onTake={onTake} />
        ))}
      </ul>
    </div>
  )
}
