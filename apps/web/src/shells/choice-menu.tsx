import Check from 'lucide-react/icons/check'
import { useMenuParts } from '../ui/menu-parts.ts'

type Choice = { value: string; label: string }

/** One choice among a few, inside a Menu. */
export function MenuChoices(props: { choices: Choice[]; value: string; onChange: (value: string) => void }) {
  const { ItemIndicator, RadioGroup, RadioItem } = useMenuParts()
  return (
    <RadioGroup value={props.value} onValueChange={props.onChange}>
      {props.choices.map(({ value, label }) => (
        <RadioItem
          key={value}
          value={value}
          className="flex min-h-control cursor-pointer items-center gap-2.5 rounded-[calc(var(--radius-control)-2px)] py-1 pr-2.5 pl-9 text-body -outline-offset-2 select-none data-highlighted:bg-slate-100"
        >
          <ItemIndicator className="-ml-6.5 w-4">
            <Check aria-hidden="true" className="size-4 text-primary-ink" />
          </ItemIndicator>
          {label}
        </RadioItem>
      ))}
    </RadioGroup>
  )
}
