from variant import BecomesRequired

value = BecomesRequired()
