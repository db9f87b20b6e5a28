/** Two neighbours’ roofs; the valley between them is the V of the name, and holds the sun. */
export const Logo = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
    <path fill="#1e3a8a" d="M2 18.2 9.2 10 15.2 16.9V29H3.4A1.4 1.4 0 0 1 2 27.6z" />
    <path fill="#3b62c4" d="M30 18.2 22.8 10 16.8 16.9V29h11.8a1.4 1.4 0 0 0 1.4-1.4z" />
    <circle cx="16" cy="7.6" r="4.6" fill="#f59e0b" />
  </svg>
)
