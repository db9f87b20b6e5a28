import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './input.tsx'
import { getPasswordStrength } from './password-strength.ts'

const strengthClasses = ['bg-danger', 'bg-warning', 'bg-success', 'bg-success']

function StrengthLine({ password }: { password: string }) {
  const { level, words } = getPasswordStrength(password)
  return (
    <div aria-live="polite" className="flex items-center gap-3 text-[0.8125rem] text-ink-soft">
      <span aria-hidden="true" className="flex w-24 shrink-0 gap-1">
        {[0, 1, 2, 3].map((bar) => (
          <span
            key={bar}
            className={cx('h-1 flex-1 rounded-full', bar <= level ? strengthClasses[level] : 'bg-line-strong')}
          />
        ))}
      </span>
      {words}
    </div>
  )
}

/** `advice` shows the strength in words, for a new password; `what` names another secret. */
export function PasswordInput({
  advice,
  what = 'le mot de passe',
  onChange,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { advice?: boolean; what?: string }) {
  const [shown, setShown] = useState(false)
  const [password, setPassword] = useState('')
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="grid gap-1.5">
      <div className="relative">
        <input
          autoComplete={advice ? 'new-password' : 'current-password'}
          {...rest}
          type={shown ? 'text' : 'password'}
          onChange={(event) => {
            setPassword(event.target.value)
            onChange?.(event)
          }}
          className={cx(controlClass, 'h-control pr-28 pl-3')}
        />
        <button
          type="button"
          aria-pressed={shown}
          aria-label={`Afficher ${what}`}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-1 right-1 flex items-center gap-1.5 rounded-md px-2 text-[0.8125rem] text-ink-soft hover:bg-ink/5 hover:text-ink"
        >
          <Icon aria-hidden="true" className="size-4" />
          {shown ? 'Masquer' : 'Afficher'}
        </button>
      </div>
      {advice && password && <StrengthLine password={password} />}
    </div>
  )
}
