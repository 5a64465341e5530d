import './logo.css';

export function Logo() {
  return (
    <span className="nova-logo">
      <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true">
        <defs>
          <linearGradient id="nova-logo" x1="0" y1="0" x2="1" y2="1">
            <stop offset="0" />
            <stop offset="1" />
          </linearGradient>
        </defs>
        <rect width="32" height="32" rx="8" fill="url(#nova-logo)" />
        <path d="M16 4.5 18.6 13.4 27.5 16 18.6 18.6 16 27.5 13.4 18.6 4.5 16 13.4 13.4Z" />
      </svg>
      Nova
    </span>
  );
}
