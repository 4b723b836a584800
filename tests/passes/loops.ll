; RUN: %count %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; The trip count is known before the loop: it is charged as a whole and stays as it was. Its chain
; of a multiplication and an addition takes 4 + 4 cycles an iteration.
; CHECK-LABEL: @recurrence(
; CHECK: mul i64 {{%.*}}, 8000
; CHECK: loop:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: %x = phi
; CHECK-NEXT: fmul
; CHECK-NEXT: fadd
; CHECK-NEXT: add nuw nsw i64 %i, 1
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1
define double @recurrence(double %a, double %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi double [ 1.0, %entry ], [ %sum, %loop ]
  %product = fmul double %x, %a
  %sum = fadd double %product, %b
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum
}

; The same through memory: 4 + 4 cycles to compute, 4 from the store to the next load.
; CHECK-LABEL: @through_memory(
; CHECK: mul i64 {{%.*}}, 12000
define void @through_memory(ptr noalias %place, double %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load double, ptr %place
  %product = fmul double %x, %a
  %sum = fadd double %product, %a
  store double %sum, ptr %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A branch into the loop without a block of its own before it gets one.
; CHECK-LABEL: @guarded(
; CHECK: br i1 %some, label %[[BEFORE:.*]], label %done
; CHECK: [[BEFORE]]:
; CHECK: mul i64
; CHECK: br label %loop
define void @guarded(ptr %data, i64 %n) {
entry:
  %some = icmp ugt i64 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr double, ptr %data, i64 %i
  store double 1.0, ptr %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Its end is not known ahead: every iteration adds, in a register, and memory is written once.
; CHECK-LABEL: @search(
; CHECK: loop:
; CHECK: phi i64
; CHECK: phi i64
; CHECK-NOT: store
; CHECK: add i64
; CHECK-NOT: store
; CHECK: br i1
; CHECK: done:
; CHECK: store i64
; CHECK-NEXT: ret i64
define i64 @search(ptr %data, i64 %wanted) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i64, ptr %data, i64 %i
  %value = load i64, ptr %place
  %next = add nuw i64 %i, 1
  %found = icmp eq i64 %value, %wanted
  br i1 %found, label %done, label %loop
done:
  ret i64 %i
}

; What is called in a loop may look at the counter in every iteration.
; CHECK-LABEL: @calls(
; CHECK: loop:
; CHECK: store i64
; CHECK-NEXT: call void @look()
define void @calls(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @look()
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare void @look()

; One side of a branch costs more: blocks add by themselves, and the loop is not charged as a whole.
; CHECK-LABEL: @branches(
; CHECK: dear:
; CHECK: add i64 {{%.*}}, 4000
; CHECK: cheap:
define double @branches(ptr %data, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %last ]
  %total = phi double [ 0.0, %entry ], [ %sum, %last ]
  %place = getelementptr double, ptr %data, i64 %i
  %value = load double, ptr %place
  %large = fcmp ogt double %value, 1.0
  br i1 %large, label %dear, label %cheap
dear:
  %quotient = fdiv double %value, 3.0
  %other = fadd double %quotient, 1.0
  br label %last
cheap:
  br label %last
last:
  %chosen = phi double [ %other, %dear ], [ %value, %cheap ]
  %sum = fadd double %total, %chosen
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum
}

; A sum of products takes an addition for each, 4 cycles: the multiplications do not wait for it.
; CHECK-LABEL: @dot(
; CHECK: mul i64 {{%.*}}, 4000
define double @dot(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %total, %loop ]
  %at_a = getelementptr double, ptr %a, i64 %i
  %at_b = getelementptr double, ptr %b, i64 %i
  %x = load double, ptr %at_a
  %y = load double, ptr %at_b
  %total = call double @llvm.fmuladd.f64(double %x, double %y, double %sum)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %total
}
declare double @llvm.fmuladd.f64(double, double, double)
