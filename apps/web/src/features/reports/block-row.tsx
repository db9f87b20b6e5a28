import { BLOCK_LABELS, getBlockSource, type ReportBlock } from '@voisol/contract/report-blocks'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Trash2 from 'lucide-react/icons/trash-2'
import { Badge } from '../../ui/badge.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Textarea } from '../../ui/textarea.tsx'

type Props = {
  block: ReportBlock
  place: number
  count: number
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onChange: (block: ReportBlock) => void
}

function TextBlockFields({
  block,
  place,
  onChange,
}: Pick<Props, 'place' | 'onChange'> & { block: Extract<ReportBlock, { kind: 'text' }> }) {
  const id = `report-text-${place}`
  return (
    <div className="mt-3 grid gap-3">
      <FieldFrame id={`${id}-title`} label="Titre" optional>
        <Input
          id={`${id}-title`}
          value={block.title}
          maxLength={200}
          onChange={({ target }) => onChange({ ...block, title: target.value })}
        />
      </FieldFrame>
      <FieldFrame id={id} label="Texte" hint="Une ligne vide commence un paragraphe.">
        <Textarea
          id={id}
          value={block.text}
          maxLength={4000}
          onChange={({ target }) => onChange({ ...block, text: target.value })}
        />
      </FieldFrame>
    </div>
  )
}

/** A block at its place: moved and removed by buttons, its words written here. */
export function ReportBlockRow({ block, place, count, onMove, onRemove, onChange }: Props) {
  const label = getBlockSource(block)?.label ?? ((block.kind === 'text' && block.title) || 'Texte libre')
  return (
    <li className="rounded-control border border-line bg-card p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="tabular w-6 text-body text-ink-soft">{place}.</span>
        <Badge tone="neutral">{BLOCK_LABELS[block.kind]}</Badge>
        <span className="min-w-0 flex-1 basis-40 text-body font-medium">{label}</span>
        <IconButton
          label={`Monter ${label}`}
          icon={<ArrowUp aria-hidden="true" />}
          disabled={place === 1}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Descendre ${label}`}
          icon={<ArrowDown aria-hidden="true" />}
          disabled={place === count}
          onClick={() => onMove(1)}
        />
        <IconButton label={`Retirer ${label}`} icon={<Trash2 aria-hidden="true" />} onClick={onRemove} />
      </div>
      {block.kind === 'text' && <TextBlockFields block={block} place={place} onChange={onChange} />}
    </li>
  )
}
