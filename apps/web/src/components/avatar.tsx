const AVATAR_COLOURS = ['#1E3A8A', '#115E59', '#92400E', '#475569', '#6B21A8', '#9F1239', '#166534', '#155E75']

const getFirstLetter = (text: string) => [...text.trim()][0]?.toLocaleUpperCase('fr-FR') ?? ''
const getInitials = (firstName: string, lastName: string) => getFirstLetter(firstName) + getFirstLetter(lastName) || '?'

/** The same person always gets the same colour. */
const getAvatarColour = (name: string) =>
  AVATAR_COLOURS[
    [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % AVATAR_COLOURS.length
  ]

type AvatarProps = { firstName: string; lastName: string; size?: number }

/** Initials drawn here: no outside service learns who is signed in. Decoration, the name stands beside it. */
export const Avatar = ({ firstName, lastName, size = 32 }: AvatarProps) => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
    <circle cx="16" cy="16" r="16" fill={getAvatarColour(firstName + lastName)} />
    <text
      x="16"
      y="16"
      dy="0.35em"
      textAnchor="middle"
      fill="#fff"
      fontSize="12.5"
      fontWeight="600"
      letterSpacing="0.02em"
    >
      {getInitials(firstName, lastName)}
    </text>
  </svg>
)
