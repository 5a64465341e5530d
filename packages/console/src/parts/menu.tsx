import { Dropdown, MenuToggle, type MenuToggleProps } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';

interface MenuProps extends Pick<MenuToggleProps, 'icon' | 'variant'> {
  title: string;
  children: ReactNode;
}

/** A button that opens a menu; the keyboard focus starts at the first entry and returns to the button. */
export function Menu({ title, children, ...look }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={() => setIsOpen(false)}
      shouldFocusFirstItemOnOpen
      shouldFocusToggleOnSelect
      popperProps={{ position: 'right' }}
      toggle={(toggle) => (
        <MenuToggle ref={toggle} isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)} {...look}>
          {title}
        </MenuToggle>
      )}
    >
      {children}
    </Dropdown>
  );
}
