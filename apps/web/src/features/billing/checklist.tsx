import type { CheckItem, CheckLevel, MonthCheck } from '@voisol/contract/billing'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatCount } from '../../lib/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

const LEVEL_STYLES: Record<CheckLevel, { Icon: typeof CircleAlert; tone: string; words: string; action: string }> = {
  blocking: { Icon: CircleAlert, tone: 'text-danger', words: 'À régler', action: 'Régler' },
  warning: { Icon: TriangleAlert, tone: 'text-warning', words: 'À vérifier', action: 'Voir' },
  ok: { Icon: CircleCheck, tone: 'text-success', words: 'En ordre', action: '' },
}
const LEVEL_ORDER: CheckLevel[] = ['blocking', 'warning', 'ok']

function ChecklistItem({ item, onAcceptIndex }: { item: CheckItem; onAcceptIndex: (accept: boolean) => void }) {
  const { Icon, tone, words, action } = LEVEL_STYLES[item.level]
  const index = item.level === 'blocking' && (item.code === 'indexMissing' || item.code === 'indexNotPublished')
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3">
      <span className="flex min-w-0 flex-1 basis-72 items-start gap-2.5 text-body">
        <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
        <span className="min-w-0">
          <span className="sr-only">{words}&nbsp;: </span>
          {item.sentence}
        </span>
      </span>
      <span className="flex flex-wrap gap-2 max-sm:pl-6.5">
        {index && (
          <Button size="small" variant="secondary" onClick={() => onAcceptIndex(true)}>
            Accepter la dernière valeur
          </Button>
        )}
        {action && item.href && (
          <ButtonLink size="small" variant="secondary" to={item.href} aria-label={`${action}\u00a0: ${item.sentence}`}>
            {action}
          </ButtonLink>
        )}
      </span>
    </li>
  )
}

const summarizeCheck = ({ items, canClose, needsReason }: MonthCheck) => {
  const count = (level: CheckLevel) => items.filter((item) => item.level === level).length
  if (!canClose) return `${formatCount(count('blocking'), 'point')} à régler avant de clôturer.`
  return needsReason
    ? `Rien ne bloque\u00a0; ${formatCount(count('warning'), 'point')} à vérifier. La clôture demandera une raison.`
    : 'Tout est en ordre\u00a0: ce mois peut être clos.'
}

type MonthChecklistProps = {
  check: MonthCheck
  onRefresh: () => unknown
  onAcceptIndex: (accept: boolean) => void
}

/** What stands in the way first; what is in order is said too. */
export function MonthChecklist({ check, onRefresh, onAcceptIndex }: MonthChecklistProps) {
  const items = LEVEL_ORDER.flatMap((level) => check.items.filter((item) => item.level === level))
  return (
    <Card
      title="Contrôler"
      description={summarizeCheck(check)}
      actions={
        <Button
          size="small"
          variant="quiet"
          icon={<RefreshCw aria-hidden="true" />}
          onClick={() => {
            void onRefresh()
          }}
        >
          Contrôler à nouveau
        </Button>
      }
    >
      <ul className="-my-3 divide-y divide-line">
        {items.map((item) => (
          <ChecklistItem key={`${item.code} ${item.sentence}`} item={item} onAcceptIndex={onAcceptIndex} />
        ))}
      </ul>
    </Card>
  )
}
