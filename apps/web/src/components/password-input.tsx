import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './input.tsx'

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

type PasswordStrength = { level: 0 | 1 | 2 | 3; words: string }

const MIN_PASSWORD_LENGTH = 12

/** Length makes a password strong; no rule about signs or capitals, but a repeated pattern is named. */
export function getPasswordStrength(password: string): PasswordStrength {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH)
    return { level: 0, words: `Trop court\u00a0: ${MIN_PASSWORD_LENGTH}\u00a0caractères au moins` }
  if (new Set(password).size < 6 || /^(.{1,4})\1+$/.test(password))
    return { level: 1, words: 'Faible\u00a0: trop répétitif' }
  return length < 16 ? { level: 2, words: 'Correct' } : { level: 3, words: 'Fort' }
}

const CODE_LENGTH = 6

/** One field rather than six boxes: it can be pasted into, filled by the phone and read out. */
export const CodeInput = ({ onChange, className, ...rest }: ComponentProps<'input'>) => (
  <input
    {...rest}
    type="text"
    inputMode="numeric"
    autoComplete="one-time-code"
    placeholder="000000"
    pattern={`\\d{${CODE_LENGTH}}`}
    onChange={(event) => {
      event.target.value = event.target.value.replace(/\D/g, '').slice(0, CODE_LENGTH)
      onChange?.(event)
    }}
    className={cx(
      controlClass,
      'tabular h-12 max-w-52 px-4 text-center text-2xl! tracking-[0.3em] placeholder:text-line-strong',
      className,
    )}
  />
)
