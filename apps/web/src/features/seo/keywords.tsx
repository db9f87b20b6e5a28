import { seo } from '@voisol/contract/seo'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { z } from 'zod'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'

type SeoFields = z.input<typeof SeoFieldsSchema>
const SeoFieldsSchema = seo.save.body.omit({ path: true, version: true })
const MAX_KEYWORDS = 20

/** Words typed one after the other; a pasted list is cut at its commas. */
const addKeywords = (old: string[], text: string) => {
  const words = text.split(/[,;\n]/).map((word) => word.trim().slice(0, 60))
  return [...new Set([...old, ...words.filter(Boolean)])].slice(0, MAX_KEYWORDS)
}

const KeywordChip = ({ word, onRemove }: { word: string; onRemove: () => void }) => (
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

export function KeywordsField({
  form,
  own,
}: {
  form: { control: Control<SeoFields, unknown, z.output<typeof SeoFieldsSchema>> }
  own: string[]
}) {
  const id = useId()
  const [text, setText] = useState('')
  const { field, fieldState } = useController({ control: form.control, name: 'keywords' })
  const keywords = field.value ?? []
  const addTyped = () => {
    if (text.trim()) field.onChange(addKeywords(keywords, text))
    setText('')
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      addTyped()
    }
    if (event.key === 'Backspace' && text === '') field.onChange(keywords.slice(0, -1))
  }
  return (
    <FieldFrame
      id={id}
      label="Mots-clés"
      hint="Entrée ou virgule après chacun, vingt au plus."
      error={fieldState.error?.message}
      optional
    >
      {keywords.length > 0 && (
        <ul aria-label="Mots-clés choisis" className="flex flex-wrap gap-1.5">
          {keywords.map((word) => (
            <KeywordChip
              key={word}
              word={word}
              onRemove={() => field.onChange(keywords.filter((one) => one !== word))}
            />
          ))}
        </ul>
      )}
      <Input
        id={id}
        aria-describedby={`${id}-hint`}
        value={text}
        autoComplete="off"
        placeholder={keywords.length ? '' : own.join(', ')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKey}
        onBlur={addTyped}
      />
    </FieldFrame>
  )
}
