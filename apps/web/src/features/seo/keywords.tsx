import { seo } from '@voisol/contract/seo'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { z } from 'zod'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'

type Fields = z.input<typeof Given>
const Given = seo.save.body.omit({ path: true, version: true })
const MAX = 20

/** Words typed one after the other; a pasted list is cut at its commas. */
const added = (old: string[], text: string) => {
  const words = text.split(/[,;\n]/).map((word) => word.trim().slice(0, 60))
  return [...new Set([...old, ...words.filter(Boolean)])].slice(0, MAX)
}

const Chip = ({ word, onRemove }: { word: string; onRemove: () => void }) => (
  <li className="inline-flex items-center gap-1 rounded-full bg-slate-100 py-0.5 pr-1 pl-3 text-[0.8125rem] break-all">
    {word}
    <button
      type="button"
      aria-label={`Retirer ${word}`}
      onClick={onRemove}
      className="grid size-6 shrink-0 place-items-center rounded-full text-ink-soft hover:bg-ink/10 hover:text-ink"
    >
      <X aria-hidden="true" className="size-3.5" />
    </button>
  </li>
)

export function Keywords({
  form,
  own,
}: {
  form: { control: Control<Fields, unknown, z.output<typeof Given>> }
  own: string[]
}) {
  const id = useId()
  const [text, setText] = useState('')
  const { field, fieldState } = useController({ control: form.control, name: 'keywords' })
  const words = field.value ?? []
  const take = () => {
    if (text.trim()) field.onChange(added(words, text))
    setText('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      take()
    }
    if (event.key === 'Backspace' && text === '') field.onChange(words.slice(0, -1))
  }
  return (
    <FieldFrame
      id={id}
      label="Mots-clés"
      hint="Entrée ou virgule après chacun, vingt au plus."
      error={fieldState.error?.message}
      optional
    >
      {words.length > 0 && (
        <ul aria-label="Mots-clés choisis" className="flex flex-wrap gap-1.5">
          {words.map((word) => (
            <Chip key={word} word={word} onRemove={() => field.onChange(words.filter((one) => one !== word))} />
          ))}
        </ul>
      )}
      <Input
        id={id}
        aria-describedby={`${id}-hint`}
        value={text}
        autoComplete="off"
        placeholder={words.length ? '' : own.join(', ')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onBlur={take}
      />
    </FieldFrame>
  )
}
